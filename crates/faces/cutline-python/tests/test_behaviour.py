"""While it works: other threads go on, Ctrl-C stops a search, progress is told, memory is not wasted."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pyarrow as pa
import pytest
from conftest import people

import cutline as cl

LONG = dict(qid={"age, sex, zip, dose": 3}, target="ill", algorithm="genetic", iterations=100_000_000)


def run(program: str, *interrupts: float) -> subprocess.CompletedProcess:
    """Runs a program that says `begin`, and interrupts it after so many seconds each."""
    program = f"import sys\nsys.path[:0] = {[os.path.dirname(__file__)]!r}\n" + textwrap.dedent(program)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begin\n", process.stderr.read()
    for seconds in interrupts:
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)
    return subprocess.CompletedProcess(program, process.returncode, out, errors)


SEARCH = """
    import cutline as cl
    from conftest import people
    from test_behaviour import LONG
    print("begin", flush=True)
    try:
        release = cl.anonymize(people(), **LONG)
        print(release.stopped, min(qid["anonymity"] for qid in release.report["qids"]) >= 3)
    except KeyboardInterrupt:
        print("given up")
"""


def test_ctrl_c_stops_the_search_and_gives_what_it_has():
    ran = run(SEARCH, 3.0)
    assert ran.stdout == "interrupted True\n", ran.stderr


def test_a_second_ctrl_c_gives_up():
    program = SEARCH.replace("people(), **LONG", "people(100_000), **LONG, evaluate=True").replace(
        "    print(", "    from test_behaviour import impatient\n    impatient()\n    print(", 1
    )
    ran = run(program)
    assert ran.stdout == "given up\n", ran.stderr


def impatient():
    """Interrupts this process again and again from the first search on."""
    from cutline import _watch

    began = []

    def progress(self, stage, *_):
        if stage == "searching" or began:
            began.append(stage)
            os.kill(os.getpid(), signal.SIGINT)

    _watch.Watch.progress = progress


def test_other_threads_go_on_while_a_table_is_masked():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    cl.anonymize(people(), **{**LONG, "time_limit": "1s"})
    spent = time.monotonic() - began
    done.set()
    thread.join()
    during = [at for at in ticks if began < at < began + spent]
    assert len(during) > 20, "Python's lock was held"


def test_tables_can_be_masked_on_several_threads_at_once():
    found = [None] * 4

    def mask(place):
        found[place] = cl.anonymize(people(), qid={"age, sex": 20}, threads=2).recoding

    threads = [threading.Thread(target=mask, args=(place,)) for place in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(recoding == found[0] for recoding in found) and found[0]


def test_results_do_not_depend_on_threads():
    tables = [cl.anonymize(people(), qid={"age, sex, zip": 5}, threads=threads).table for threads in (1, 2, 7)]
    assert tables[0] == tables[1] == tables[2]


def test_progress_is_shown_if_asked_for_and_not_in_scripts(capsys):
    said = {**LONG, "time_limit": "1500ms"}
    cl.anonymize(people(), **said)
    assert capsys.readouterr().err == ""
    cl.anonymize(people(), **said, progress=True)
    assert "searching" in capsys.readouterr().err


def test_an_error_in_what_shows_progress_is_told(monkeypatch):
    from cutline import _watch

    def broken(self, *_):
        raise RuntimeError("no screen")

    monkeypatch.setattr(_watch.Watch, "progress", broken)
    with pytest.raises(RuntimeError, match="no screen"):
        cl.anonymize(people(), **{**LONG, "time_limit": "5s"})


def test_columns_that_are_not_masked_are_not_copied():
    records = 200_000
    table = pa.table({"age": [number % 50 for number in range(records)], "blob": pa.array([number * 1.5 for number in range(records)])})
    before = pa.total_allocated_bytes()
    release = cl.anonymize(table, qid={"age": 100})
    assert pa.total_allocated_bytes() - before < 1_000_000, "nothing was allocated by Arrow in C++"
    own = release.table["blob"].chunk(0).buffers()[1].address
    assert own == table["blob"].chunk(0).buffers()[1].address
    streamed = pa.table(release._native.table)["blob"].chunk(0).buffers()[1].address
    assert streamed == table["blob"].chunk(0).buffers()[1].address, "through the library, too"


WITHOUT = """
        import sys

        class Nothing:
            def find_spec(self, name, path=None, target=None):
                if name.split(".")[0] in {libraries}:
                    raise ImportError(name)

        sys.meta_path.insert(0, Nothing())
        import cutline as cl
        print("begin", flush=True)
"""


def test_nothing_is_needed_but_the_wheel():
    program = WITHOUT.format(libraries=("pandas", "polars", "pyarrow", "numpy", "sklearn", "duckdb", "tqdm")) + """
        people = {"age": [1, 1, 2, 2], "x": ["a", None, "b", "c"]}
        release = cl.anonymize(people, qid={"age": 2})
        print(len(set(release.table["age"])), cl.verify(release, qid={"age": 2})["holds"])
    """
    ran = run(program)
    assert ran.stdout == "2 True\n", ran.stderr


def test_pandas_without_pyarrow_is_masked_alike():
    program = WITHOUT.format(libraries=("pyarrow", "duckdb", "polars")) + """
        import pandas as pd
        frame = pd.DataFrame({"age": [1, 1, 2, 2, 3], "kept": pd.Categorical(["a", None, "b", "c", "a"])}, index=range(5, 10))
        for settings in ({}, {"suppress_limit": 0.3, "suppress_how": "drop"}, {"shuffle": True}):
            table = cl.anonymize(frame, qid={"age": 2}, categorical="age", **settings).table
            print(sorted(set(table["age"])), len(table), table["kept"].dtype)
    """
    ran = run(program)
    assert ran.stdout == "['*', '1'] 5 category\n['1', '2'] 4 category\n['*', '1'] 5 category\n", ran.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no such system call")
def test_a_process_that_was_forked_works_as_the_one_before():
    # As workers of web servers and of scikit-learn do. The threads that worked before are not in the new process.
    ran = run(
        """
        import os, warnings
        import cutline as cl
        import pyarrow as pa
        from conftest import people
        warnings.simplefilter("ignore")
        table = pa.table(people(70_000))
        def work():
            cl.inspect(table)
            cl.screen(table, qid={"age, zip": 3})
            return cl.anonymize(table, qid={"age, sex, zip": 3}, target="ill", keep=["dose"]).table
        print("begin", flush=True)
        before = work()
        child = os.fork()
        if child == 0:
            os._exit(7 if work().equals(before) else 8)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert ran.stdout == "7\n", ran.stderr
