"""Every example of the guide and of the notebook is run."""

import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest
from conftest import ROOT

DOCS = ROOT / "docs"
FENCE = re.compile(r"^(?P<before>[^\n]*)\n```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = "<!-- not run:"


def pages(kind: str) -> list[pathlib.Path]:
    found = [page for page in sorted(DOCS.rglob("*.md")) if f"```{kind}\n" in page.read_text()]
    assert found
    return found


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with the tables of the examples."""
    for name in ("patients.csv", "zip.txt"):
        shutil.copy(ROOT / "examples" / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(page: pathlib.Path, run) -> None:
    """Runs the blocks of a page in their order: what is shown must be what `run` says (UPDATE=1 writes it anew)."""

    def rewritten(block: re.Match) -> str:
        shown = None if block["before"].startswith(NOT_RUN) else run(block["kind"], block["text"])
        return block[0] if shown is None else f"{block['before']}\n```{block['kind']}\n{shown}```"

    text = page.read_text()
    shown = FENCE.sub(rewritten, text)
    if os.environ.get("UPDATE"):
        page.write_text(shown)
    assert shown == page.read_text(), page


@pytest.mark.parametrize("page", pages("python"), ids=lambda page: page.stem)
def test_the_python_of_the_guide_runs_and_prints_what_it_says(page, desk):
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


@pytest.mark.parametrize("page", pages("console"), ids=lambda page: page.stem)
def test_the_commands_of_the_guide_print_what_it_says(page, desk, command):
    path = os.pathsep.join([os.path.dirname(command), os.environ["PATH"]])

    def run(kind, text):
        if kind != "console":
            return None
        shown = ""
        for line in re.findall(r"^\$ .*\n", text, flags=re.MULTILINE):
            ran = subprocess.run(line[2:], shell=True, capture_output=True, text=True, env={**os.environ, "PATH": path})
            assert ran.returncode in (0, 1), ran.stderr
            shown += line + ran.stdout
        return shown

    check(page, run)


def test_the_summary_has_every_page():
    summary = (DOCS / "SUMMARY.md").read_text()
    linked = set(re.findall(r"\]\(([^)]+\.md)\)", summary))
    here = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} - {"SUMMARY.md"}
    assert linked == here


def test_links_of_the_guide_lead_somewhere():
    for page in DOCS.rglob("*.md"):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page}: {link}"


def test_the_notebook_runs_from_start_to_end(desk, monkeypatch):
    notebook = json.loads((DOCS / "tutorials/adult.ipynb").read_text())
    monkeypatch.setenv("CUTLINE_DATASETS", str(ROOT / "datasets"))
    names: dict = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 8
    for number, cell in enumerate(cells):
        assert not cell["outputs"], "outputs are made by whoever runs it"
        exec(compile("".join(cell["source"]), f"adult.ipynb, cell {number}", "exec"), names)
