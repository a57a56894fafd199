"""What do the learners of today's recipients make of masked tables? Optional, no part of the tests.

    pip install target/wheels/cutline-*.whl numpy pandas scikit-learn
    python scripts/learners.py > docs/learners.md

`cutline.Anonymizer` learns the recoding from the training records and gives them and the test records their labels; learners see the masked training
records, and their error on the masked test records is told, in percent. Adult: the 2007 paper's Top7, generalized, 30,162 complete training records
and 15,060 test records. CRX and German: seven attributes whose values are suppressed one by one, 465 and 188, 666 and 334 records: one test record is half a
point there, and a third of one.

- boosted trees: scikit-learn's HistGradientBoostingClassifier as it is; a label is a category, a number a number;
- Naive Bayes: a label is a category like any other (numbers in ten equally frequent bins);
- Naive Bayes, spread: a label is what it stands for. Each record counts evenly for all values of its labels, and the probability of a label is
  that of its values together. For labels that exclude each other both are nearly the same.
"""

import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
from cutline import Anonymizer
from sklearn.ensemble import HistGradientBoostingClassifier

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "datasets"
TOP7 = ["capital-gain", "age", "marital-status", "education-num", "relationship", "hours-per-week", "sex"]
NUMBERS = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
CRX = ["A9", "A11", "A10", "A8", "A15", "A7", "A14"]
GERMAN = ["credit-amount", "checking-account", "duration", "credit-history", "savings", "installment-rate", "purpose"]
TARGET = "income"
SEARCHES = {
    "tdr": {"algorithm": "tdr"},
    "refine": {"algorithm": "refine"},
    "nested": {"local": "nested"},
    "free": {"local": "free"},
}


def complete(part: str) -> pd.DataFrame:
    """The records of a part that lack nothing."""
    return pd.read_csv(DATA / "adult" / f"{part}.csv.gz", na_values="?").dropna().reset_index(drop=True)


def outline(name: str) -> dict[str, list[str]]:
    """For every node of a taxonomy, the leaves below it."""
    path, leaves = [], {}
    lines = (DATA / "taxonomies" / f"{name}.txt").read_text().splitlines()
    depths = [(len(line) - len(line.lstrip())) // 2 for line in lines]
    for place, line in enumerate(lines):
        path[depths[place] :] = [line.strip()]
        if place + 1 == len(lines) or depths[place + 1] <= depths[place]:
            for node in path:
                leaves.setdefault(node, []).append(line.strip())
    return leaves


INTERVAL = re.compile(r"^\[(-?[\d.]+)-(-?[\d.]+)[\])]$")


def ends(label: str) -> tuple[float, float]:
    """Of an interval or a number."""
    if label == "*":
        return -math.inf, math.inf
    if label.startswith("<"):
        return -math.inf, float(label[1:])
    if label.startswith(">="):
        return float(label[2:]), math.inf
    found = INTERVAL.match(label)
    return (float(found[1]), float(found[2])) if found else (float(label), float(label))


class Spread:
    """The elementary values of a column, and those that each of its labels stands for."""

    def __init__(self, name: str, labels: set[str]) -> None:
        if name in NUMBERS:
            bounds = sorted({end for label in labels for end in ends(label)})
            self.cells = list(zip(bounds, bounds[1:]))
            self.behind = lambda label: [i for i, cell in enumerate(self.cells) if ends(label)[0] <= cell[0] and cell[1] <= ends(label)[1]]
        else:
            tree = outline(name)
            self.cells = max(tree.values(), key=len)
            place = {leaf: i for i, leaf in enumerate(self.cells)}
            self.behind = lambda label: [place[leaf] for leaf in (tree[label] if label in tree else self.cells)]
        self.of = {label: self.behind(label) or list(range(len(self.cells))) for label in labels}


def bayes(train: pd.DataFrame, test: pd.DataFrame, masked: list[str], spread: bool) -> float:
    classes = train[TARGET].unique()
    score = np.zeros((len(test), len(classes)))
    score += np.log(train[TARGET].value_counts(normalize=True).reindex(classes).to_numpy())
    for name in train.columns.drop(TARGET):
        column, seen = train[name], test[name]
        if pd.api.types.is_numeric_dtype(column):
            edges = np.unique(np.quantile(column, np.linspace(0, 1, 11)))[1:-1]
            column, seen = pd.Series(np.digitize(column, edges)), pd.Series(np.digitize(seen, edges))
        column, seen = column.astype(str).reset_index(drop=True), seen.astype(str).reset_index(drop=True)
        labels = sorted(set(column) | set(seen))
        of = {label: [place] for place, label in enumerate(labels)}
        if spread and name in masked:
            of = Spread(name, set(labels)).of
        size = 1 + max(max(cells) for cells in of.values())
        counts = np.ones((len(classes), size))
        for place, one in enumerate(classes):
            for label, number in column[train[TARGET].reset_index(drop=True) == one].value_counts().items():
                counts[place, of[label]] += number / len(of[label])
        counts /= counts.sum(axis=1, keepdims=True)
        by_label = {label: np.log(counts[:, cells].sum(axis=1)) for label, cells in of.items()}
        score += np.stack(seen.map(by_label).to_list())
    return 100 * float(np.mean(classes[score.argmax(axis=1)] != test[TARGET].to_numpy()))


def boosted(train: pd.DataFrame, test: pd.DataFrame) -> float:
    names = train.columns.drop(TARGET)
    both = pd.concat([train[names], test[names]])
    for name in names:
        if not pd.api.types.is_numeric_dtype(both[name]):
            both[name] = both[name].astype("category")
    model = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=0)
    model.fit(both.iloc[: len(train)], train[TARGET])
    return 100 * float(np.mean(model.predict(both.iloc[len(train) :]) != test[TARGET].to_numpy()))


def row(cells: list) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


class Task:
    """A table in two parts, what is masked in it, and how."""

    def __init__(self, name: str, parts: list[pd.DataFrame], target: str, qid: list[str], ks: tuple[int, ...], trees: dict[str, str]) -> None:
        self.name, self.qid, self.ks, self.trees = name, qid, ks, trees
        self.parts = [part.rename(columns={target: TARGET}) for part in parts]

    def show(self, cells: list, parts: list[pd.DataFrame], masked: list[str]) -> None:
        figures = [boosted(*parts), bayes(*parts, masked, False)]
        # What a label stands for is known of taxonomies and intervals.
        spread = [bayes(*parts, masked, True)] if self.trees else []
        row([self.name, *cells, *(f"{figure:.2f}" for figure in figures + spread), *([] if spread else [""])])

    def run(self) -> None:
        self.show(["raw", "", ""], self.parts, [])
        self.show(["without them", "", ""], [part.drop(columns=self.qid) for part in self.parts], [])
        for budget in ("0%", "1%"):
            for k in self.ks:
                for search, settings in SEARCHES.items():
                    self.show([search, k, budget], self.masked(k, budget, settings), self.qid)

    def masked(self, k: int, budget: str, settings: dict[str, str]) -> list[pd.DataFrame]:
        model = Anonymizer(qid=self.qid, k=k, taxonomies=self.trees, suppress_limit=budget, **settings)
        model.fit(self.parts[0].drop(columns=TARGET), self.parts[0][TARGET])
        return [model.transform(part.drop(columns=TARGET)).assign(**{TARGET: part[TARGET]}) for part in self.parts]


def split(path: str, train: int) -> list[pd.DataFrame]:
    table = pd.read_csv(DATA / path, na_values="?").dropna().reset_index(drop=True)
    return [table.iloc[:train].reset_index(drop=True), table.iloc[train:].reset_index(drop=True)]


def tasks() -> list[Task]:
    trees = {name: str(DATA / "taxonomies" / f"{name}.txt") for name in TOP7 if name not in NUMBERS}
    return [
        Task("Adult", [complete("train"), complete("test")], TARGET, TOP7, (50, 200, 500, 1000), trees),
        Task("CRX", split("crx/crx.csv.gz", 465), "class", CRX, (20, 50, 100), {}),
        Task("German", split("german/german.csv.gz", 666), "class", GERMAN, (20, 60, 100), {}),
    ]


def main() -> None:
    names = ["table", "search", "k", "budget", "boosted trees", "Naive Bayes", "Naive Bayes, spread"]
    print("# What today's learners make of masked tables\n\nThis page is written by `scripts/learners.py`; do not edit it.\n")
    print("\n".join(__doc__.splitlines()[5:]).strip() + "\n")
    row(names)
    row(["---", "---"] + ["---:"] * (len(names) - 2))
    for task in tasks():
        task.run()


if __name__ == "__main__":
    main()
