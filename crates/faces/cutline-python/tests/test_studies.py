"""Verify, screen, inspect, attack, evaluate: what the command tells, the package tells."""

import json
import subprocess

import pandas as pd
import pytest
from conftest import KINDS, people

import cutline as cl

QID = {"age, sex": 20}


@pytest.fixture
def patients(tmp_path):
    path = tmp_path / "people.csv"
    pd.DataFrame(people()).to_csv(path, index=False)
    return path


def told(command, *arguments):
    ran = subprocess.run([command, *map(str, arguments), "--json"], capture_output=True, text=True)
    return json.loads(ran.stdout)


def test_verify_tells_what_the_command_tells(kind, command, patients):
    found = cl.verify(KINDS[kind](people()), qid={"age, sex": 20}, sensitive=["ill"])
    assert found == told(command, "verify", patients, "--qid", "age,sex:20", "--sensitive", "ill")
    assert not found["holds"]
    assert cl.verify(patients, qid=QID, sensitive=["ill"]) == found


def test_screen_tells_what_the_command_tells(kind, command, patients):
    data = people()
    data["age"] = list(map(int, data["age"]))
    found = cl.screen(KINDS[kind](data), qid=QID)
    expected = told(command, "screen", patients, "--qid", "age,sex:20")
    assert [column["name"] for column in found["columns"]] == [column["name"] for column in expected["columns"]]
    assert found == expected


def test_screen_proposes_qids():
    assert cl.screen(people())["proposals"] is not None


def test_inspect_proposes_roles_and_a_spec(patients):
    found = cl.inspect(patients)
    roles = {column["name"]: column["role"] for column in found["columns"]}
    assert roles["age"] == "quasi" and roles["dose"] == "other"
    assert f'path = "{patients}"' in found["spec"]
    assert repr(found).startswith("{\n")


def test_an_attack_finds_nobody_in_a_release_and_everybody_in_the_raw_table():
    data = {**people(), "who": [f"p{number}" for number in range(400)]}
    release = cl.anonymize(data, qid=QID, drop=["who"], shuffle=True)
    masked, raw = cl.attack(release, data, on=["age", "sex"]), cl.attack(data, data, on=["age", "sex", "dose"], truth="who")
    assert masked["fewest"] >= 20
    assert raw["fewest"] == 1
    by_qid = cl.attack(release, data)
    assert len(by_qid) == 1 and by_qid[0] == masked


def test_an_attack_on_a_folder_knows_its_recoding(command, patients, tmp_path):
    release = cl.anonymize(patients, qid=QID)
    release.publish(tmp_path / "out")
    found = cl.attack(tmp_path / "out", patients, on="age, sex", sensitive=["ill"])
    expected = told(command, "attack", tmp_path / "out", patients, "--on", "age,sex", "--sensitive", "ill")
    assert expected["attacks"] == [found] == [cl.attack(release, patients, on=["age", "sex"], sensitive=["ill"])]


def test_evaluate_tells_what_the_command_tells(command, patients):
    found = cl.evaluate(patients, qid=QID, target="ill", folds=3)
    assert found == told(command, "evaluate", patients, "--qid", "age,sex:20", "--target", "ill", "--folds", "3")
    assert cl.evaluate(people(), qid=QID, target="ill", folds=3)["measures"] == found["measures"]


def test_evaluate_compares_two_tables():
    release = cl.anonymize(people(), qid=QID, target="ill")
    found = cl.evaluate(people(), release, target="ill", holdout=0.25, classifier="c45")
    assert [measure["name"] for measure in found["measures"]] == ["C4.5 error"]
    with pytest.raises(cl.InputError, match="predict"):
        cl.evaluate(people(), release)
    with pytest.raises(cl.SettingError, match="classifier"):
        cl.evaluate(people(), release, target="ill", classifier="oracle")


def test_apply_masks_another_table_alike_and_refuses_new_columns(tmp_path):
    release = cl.anonymize(people(), qid={"age": 20}, target="ill")
    done = cl.apply(release, people(), tmp_path / "again.csv")
    assert done == {"records": 400, "suppressed": 0}
    with pytest.raises(cl.InputError, match="more"):
        cl.apply(release, {**people(), "more": ["x"] * 400}, tmp_path / "more.csv")
    cl.apply(release, {**people(), "more": ["x"] * 400}, tmp_path / "more.csv", keep=["more"])
    with pytest.raises(cl.RequirementError):
        cl.apply(release, {name: values[:15] for name, values in people().items()}, tmp_path / "few.csv")


def test_a_local_release_masks_another_table_and_is_attacked_by_what_the_steward_knows(tmp_path):
    release = cl.anonymize(people(), qid={"age,zip": 10}, target="ill", local="nested")
    assert release.recoding["regions"]["tree"] == [] and release.recoding["regions"]["groups"]
    assert cl.apply(release, people(), tmp_path / "again.csv") == {"records": 400, "suppressed": 0}
    folder = tmp_path / "release"
    release.publish(folder)
    with pytest.raises(cl.InputError, match="steward"):
        cl.apply(folder / "public" / "recoding.json", people(), tmp_path / "no.csv")


def test_a_taxonomy_is_proposed_and_can_be_edited(patients):
    tree = cl.Taxonomy.build(patients, "zip")
    assert tree.private and "0213*" not in tree.leaves
    assert cl.Taxonomy.build(people(), "zip", target="ill").leaves
    again = cl.Taxonomy.from_text(tree.to_outline())
    assert again.to_dict() == tree.to_dict() and not again.private
    assert "02139" in tree.show()
    with pytest.raises(cl.CutlineError):
        cl.Taxonomy.build(people(), "zip", by="magic")
    with pytest.raises(cl.InputError, match="one root"):
        cl.Taxonomy.from_dict({"a": ["x"], "b": ["y"]})


def test_clusters_are_compared_before_one_is_published(tmp_path):
    data = {name: people()[name] for name in ("age", "zip", "dose")}
    found = cl.compare(data, tmp_path / "compared", qid={"age, zip": 10}, clusters=[2, 3])
    assert [row["clusters"] for row in found["rows"]] == [2, 3]
    assert (tmp_path / "compared/comparison.html").exists()
    with pytest.raises(cl.InputError, match="several"):
        cl.anonymize(data, qid={"age, zip": 10}, clusters=[2, 3])
    release = cl.anonymize(data, qid={"age, zip": 10}, clusters=2, publish_labels=True)
    assert len(set(release.table["cluster"])) == 2
    assert release.report["clusters"]["clusters"] == 2
