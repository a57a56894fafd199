"""scikit-learn: its own checks, pipelines, searches over k, and labels as numbers."""

import pickle
import zlib

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import people
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

import cutline as cl

#: Checks that subtract outputs from each other. Those are labels, which are texts; with numbers in their place these checks pass, too.
OF_NUMBERS = {
    "check_estimators_pickle",
    "check_fit_idempotent",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
    "check_pipeline_consistency",
    "check_transformer_data_not_an_array",
    "check_transformer_general",
}


class Numbers(cl.Anonymizer):
    """Labels as numbers: the same label is always the same number."""

    def transform(self, X):
        labels = super().transform(X)
        return np.vectorize(lambda label: float(zlib.crc32(str(label).encode())), otypes=[float])(labels)


def data():
    frame = pd.DataFrame(people(600))
    return frame[["age", "sex", "zip", "dose"]], frame["ill"]


def test_the_anonymizer_passes_scikit_learns_own_checks():
    results = check_estimator(cl.Anonymizer(k=2), on_fail=None, on_skip=None)
    failed = {one["check_name"]: one["exception"] for one in results if one["status"] == "failed"}
    assert len(results) > 35
    assert set(failed) == OF_NUMBERS, {name: repr(failed[name]) for name in failed if name not in OF_NUMBERS}
    assert all(isinstance(error, TypeError) for error in failed.values()), failed


def test_the_anonymizer_passes_all_checks_if_its_labels_are_numbers():
    results = check_estimator(Numbers(k=2), on_fail=None, on_skip=None)
    assert {one["check_name"]: repr(one["exception"]) for one in results if one["status"] == "failed"} == {}


def test_label_features_pass_scikit_learns_own_checks():
    results = check_estimator(cl.LabelFeatures(), on_fail=None, on_skip=None)
    failed = {one["check_name"]: repr(one["exception"]) for one in results if one["status"] == "failed"}
    assert not failed


def test_parameters_clones_and_copies():
    model = cl.Anonymizer(qid=["age"], k=5, suppress_limit=0.1)
    assert model.get_params()["suppress_limit"] == 0.1
    copy = clone(model).set_params(k=7)
    assert (copy.k, model.k) == (7, 5) and copy.suppress_limit == 0.1
    assert repr(model) == "Anonymizer(k=5, qid=['age'], suppress_limit=0.1)"
    with pytest.raises(TypeError, match="suppress_limt"):
        cl.Anonymizer(suppress_limt=1)
    X, y = data()
    fitted = pickle.loads(pickle.dumps(model.fit(X, y)))
    pd.testing.assert_frame_equal(fitted.transform(X), model.transform(X))


def test_the_recoding_is_learned_from_the_training_part_only():
    X, y = data()
    train, test = X[:300], X[300:].assign(age=lambda frame: frame["age"] + 500)
    model = cl.Anonymizer(qid=["age", "sex", "zip"], k=10).fit(train, y[:300])
    before = model.recoding_
    masked = model.transform(test)
    assert model.recoding_ == before
    last = before["attributes"]["age"]["bounds"][-2]
    assert set(masked["age"]) == {f">={last}"}, "as the training part says, whatever the test part is like"
    assert masked.index.equals(test.index) and masked["dose"].equals(test["dose"])
    counts = model.transform(train).groupby(["age", "sex", "zip"], observed=True).size()
    assert counts.min() >= 10


def test_unseen_values_go_to_the_root():
    X, y = data()
    tree = {"Any": {"East": ["02139", "02140", "10001", "10002"], "West": ["94110"]}}
    model = cl.Anonymizer(qid=["zip"], k=10, taxonomies={"zip": tree}).fit(X, y)
    assert model.transform(X[:1].assign(zip="99999"))["zip"].tolist() == ["Any"]
    strict = cl.Anonymizer(qid=["zip"], k=10, taxonomies={"zip": tree}, unknown="error").fit(X, y)
    with pytest.raises(cl.InputError):
        strict.transform(X[:1].assign(zip="99999"))


def test_a_private_taxonomy_still_labels_what_is_below_its_cut():
    X, y = data()
    model = cl.Anonymizer(qid=["zip", "age"], k=60, taxonomies={"zip": cl.Taxonomy.from_prefixes(X["zip"])}).fit(X, y)
    labels = set(model.transform(X)["zip"])
    assert len(labels) >= 1 and model.recoding_["attributes"]["zip"]["operation"] == "generalize"


def classifier():
    masked = ["age", "sex", "zip"]
    return Pipeline(
        [
            ("mask", cl.Anonymizer(qid=masked, k=10)),
            ("numbers", ColumnTransformer([("labels", OneHotEncoder(handle_unknown="ignore"), masked)], remainder="passthrough")),
            ("tree", DecisionTreeClassifier(max_depth=4, random_state=0)),
        ]
    )


def test_a_pipeline_under_cross_validation():
    X, y = data()
    scores = cross_val_score(classifier(), X, y, cv=3)
    assert scores.mean() > 0.7


def test_a_search_over_k():
    X, y = data()
    search = GridSearchCV(classifier(), {"mask__k": [2, 150]}, cv=3).fit(X, y)
    assert search.best_params_["mask__k"] in (2, 150)
    few, many = (cl.Anonymizer(qid=["age", "zip"], k=k).fit(X, y).transform(X) for k in (2, 150))
    assert few["age"].nunique() >= many["age"].nunique()


def test_output_is_what_set_output_says():
    X, y = data()
    model = cl.Anonymizer(qid=["age", "sex"], k=10)
    assert isinstance(model.fit_transform(X, y), pd.DataFrame)
    assert isinstance(model.fit_transform(pl.DataFrame(X), y), pl.DataFrame)
    assert isinstance(cl.Anonymizer(k=10).fit_transform(X[["age", "sex"]].to_numpy(), y), np.ndarray)
    out = model.set_output(transform="polars").fit(X, y).transform(X)
    assert isinstance(out, pl.DataFrame) and out.columns == list(X.columns)
    assert list(model.get_feature_names_out()) == list(X.columns)


def test_numbers_are_a_purpose_too():
    X, _ = data()
    model = cl.Anonymizer(qid=["age", "sex"], k=10).fit(X[["age", "sex"]], X["dose"])
    assert model.report_["purpose"].startswith("regression")
    named = cl.Anonymizer(qid=["age", "sex"], k=10, target="dose", purpose="regression").fit(X)
    assert named.report_["purpose"] == "regression of dose"


@pytest.mark.parametrize(
    "how, expected",
    [
        ("midpoint", [[30.0, 0.5], [40.0, 2.0], [35.0, 1.25], [35.0, 1.25]]),
        ("ordinal", [[0.0, 0.0], [1.0, 1.0], [0.5, 0.5], [0.5, 0.5]]),
        ("one-hot", [[30.0, 0.5, 0.5, 0.0], [40.0, 0.0, 0.0, 1.0], [35.0, 0.0, 0.0, 0.0], [35.0, 0.0, 0.0, 0.0]]),
    ],
)
def test_labels_become_numbers(how, expected):
    tree = {"Any": {"School": ["11th", "12th"], "University": ["BSc"]}}
    masked = pd.DataFrame({"age": ["[20-40)", ">=40", "*", None], "edu": ["School", "BSc", "?", None]})
    assert cl.LabelFeatures(how, taxonomies={"edu": tree}).fit_transform(masked).tolist() == expected


def test_one_hot_columns_are_named_after_leaves():
    tree = {"Any": {"North": ["Oslo"], "South": {"Italy": ["Rome", "Milan"]}}}
    features = cl.LabelFeatures("one-hot", taxonomies={"town": tree}).fit(pd.DataFrame({"town": ["North", "South"]}))
    assert list(features.get_feature_names_out()) == ["town_Oslo", "town_Rome", "town_Milan"]
    assert features.transform(pd.DataFrame({"town": ["North", "Italy", "Any"]})).tolist() == [
        [1.0, 0.0, 0.0],
        [0.0, 0.5, 0.5],
        [1 / 3, 1 / 3, 1 / 3],
    ]


def test_masked_labels_as_numbers_feed_a_model():
    X, y = data()
    model = make_pipeline(cl.Anonymizer(qid=["age", "sex", "zip"], k=10), cl.LabelFeatures("one-hot"), DecisionTreeClassifier(max_depth=4))
    assert cross_val_score(model, X, y, cv=3).mean() > 0.7
    with pytest.raises(cl.InputError):
        cl.LabelFeatures("magic").fit(X)


def test_regions_of_names_are_applied_to_other_records():
    data = pd.DataFrame(people()).drop(columns=["dose", "ill"])
    masker = cl.Anonymizer(qid=["age", "zip"], k=10, local="nested").fit(data, people()["ill"])
    assert len(masker.transform(data)) == 400
