"""Every Python example of the guide, the READMEs and the notebook is run. (Commands and links are tested with the command.)"""

import contextlib
import importlib
import io
import json
import os
import pathlib
import re
import shutil
import sys

import pytest
from conftest import ROOT

DOCS = ROOT / "docs"
FENCE = re.compile(r"^(?P<before>[^\n]*)\n```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
#: A page that needs more than the environment of these tests has.
NEEDS = re.compile(r"^<!-- needs (\w+) -->$", re.MULTILINE)


#: Spark has an environment of its own (scripts/setup-tests.sh), because it is large.
CACHE = pathlib.Path(os.environ.get("CUTLINE_CACHE") or pathlib.Path.home() / ".cache/cutline")
SPARK = [str(packages) for packages in (CACHE / "spark/lib").glob("python*/site-packages")]


def pages() -> list[pathlib.Path]:
    readmes = [ROOT / "README.md", ROOT / "crates/faces/cutline-python/README.md"]
    found = [page for page in [*readmes, *sorted(DOCS.rglob("*.md"))] if "```python\n" in page.read_text()]
    assert len(found) > len(readmes)
    return found


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with the tables of the examples; the README's are in its folder `examples`."""
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(page: pathlib.Path, run) -> None:
    """Runs the blocks of a page in their order: what is shown must be what `run` says (UPDATE=1 writes it anew)."""

    def rewritten(block: re.Match) -> str:
        shown = run(block["kind"], block["text"])
        return block[0] if shown is None else f"{block['before']}\n```{block['kind']}\n{shown}```"

    text = page.read_text()
    shown = FENCE.sub(rewritten, text)
    if os.environ.get("UPDATE"):
        page.write_text(shown)
    assert shown == page.read_text(), page


def needs(module: str, page: pathlib.Path, monkeypatch) -> None:
    """Makes a module of another environment ready. Where there is none the page is skipped, but never in CI."""
    monkeypatch.setattr(sys, "path", [*sys.path, *SPARK])
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    if os.environ.get("CI"):
        importlib.import_module(module)
    pytest.importorskip(module, reason=f"{page.name} needs {module}")


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_of_the_guide_runs_and_prints_what_it_says(page, desk, monkeypatch):
    for module in NEEDS.findall(page.read_text()):
        needs(module, page, monkeypatch)
    names: dict = {}
    printed = [""]

    def run(kind, text):
        if kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, str(page), "exec"), names)
            printed[0] = out.getvalue()
        elif kind == "text" and printed[0]:
            shown, printed[0] = printed[0], ""
            return shown
        return None

    check(page, run)


def test_the_notebook_runs_from_start_to_end(desk, monkeypatch):
    notebook = json.loads((DOCS / "tutorials/adult.ipynb").read_text())
    monkeypatch.setenv("CUTLINE_DATASETS", str(ROOT / "datasets"))
    names: dict = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 8
    for number, cell in enumerate(cells):
        assert not cell["outputs"], "outputs are made by whoever runs it"
        exec(compile("".join(cell["source"]), f"adult.ipynb, cell {number}", "exec"), names)
