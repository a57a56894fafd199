"""What do the learners of today's recipients make of masked tables? Optional, no part of the tests.

    pip install target/wheels/cutline-*.whl numpy pandas scikit-learn
    python scripts/learners.py > docs/learners.md

Adult, the 2007 paper's Top7, generalized. `cutline.Anonymizer` learns the recoding from the 30,162 complete training records and gives them and the
15,060 of the test part their labels; learners see the masked training part, and their error on the masked test part is told, in percent.

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
        if name in NUMBERS and name not in masked:
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


def errors(train: pd.DataFrame, test: pd.DataFrame, masked: list[str]) -> list[str]:
    figures = [boosted(train, test), bayes(train, test, masked, False), bayes(train, test, masked, True)]
    return [f"{figure:.2f}" for figure in figures]


def row(cells: list) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def main() -> None:
    names = ["search", "k", "budget", "boosted trees", "Naive Bayes", "Naive Bayes, spread"]
    print("# What today's learners make of masked tables\n\nThis page is written by `scripts/learners.py`; do not edit it.\n")
    print("\n".join(__doc__.splitlines()[5:]).strip() + "\n")
    row(names)
    row(["---"] + ["---:"] * (len(names) - 1))
    train, test = complete("train"), complete("test")
    row(["raw", "", "", *errors(train, test, [])])
    row(["without the seven", "", "", *errors(train.drop(columns=TOP7), test.drop(columns=TOP7), [])])
    trees = {name: str(DATA / "taxonomies" / f"{name}.txt") for name in TOP7 if name not in NUMBERS}
    for budget in ("0%", "1%"):
        for k in (50, 200, 500, 1000):
            for search, settings in SEARCHES.items():
                model = Anonymizer(qid=TOP7, k=k, taxonomies=trees, unknown="error", suppress_limit=budget, **settings)
                model.fit(train.drop(columns=TARGET), train[TARGET])
                masked = [model.transform(part.drop(columns=TARGET)).assign(**{TARGET: part[TARGET]}) for part in (train, test)]
                row([search, k, budget, *errors(*masked, TOP7)])


if __name__ == "__main__":
    main()
