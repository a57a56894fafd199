"""The settings as type checkers see them. Written by tests/test_types.py from the definitions (UPDATE=1 writes it anew)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Names = Union[str, Sequence[str]]
Entries = Union[str, Sequence[str], Mapping[Any, Any]]


class Settings(TypedDict, total=False):
    """All settings of the command, as keywords."""

    person: str | None
    weight: str | None
    sampling_fraction: float | None
    condition: Entries | None
    bound: Entries | None
    suppress_limit: Union[float, str] | None
    suppress_how: Literal["mask", "drop"] | None
    target: str | None
    purpose: Literal["classification", "regression", "clustering", "general"] | None
    also_target: Entries | None
    target_weight: float | None
    cost: Entries | None
    allow_target_in_qid: bool | None
    clusters: Union[int, str, Sequence[int]] | None
    clustering: Literal["k-means", "bisecting"] | None
    recipient_clustering: Literal["k-means", "bisecting"] | None
    cluster_on: Names | None
    not_cluster_on: Names | None
    encode_names: Literal["taxonomy", "one-hot"] | None
    masked_names: Literal["leaves", "values"] | None
    publish_labels: bool | None
    label_name: str | None
    choose: str | None
    taxonomy: Entries | None
    private_taxonomy: Names | None
    range: Entries | None
    bins: Entries | None
    round: Entries | None
    clamp: Entries | None
    date: Names | None
    date_format: Entries | None
    age_at: Entries | None
    pin_open: Entries | None
    pin_closed: Entries | None
    categorical: Names | None
    continuous: Names | None
    drop: Names | None
    tokenize: Names | None
    shift: Names | None
    keep: Names | None
    sensitive: Names | None
    missing: Literal["value", "drop", "complete", "error"] | None
    unknown: Literal["error", "root"] | None
    table: str | None
    query: str | None
    null: Names | None
    input_format: Literal["csv", "parquet", "arrow", "jsonl", "xlsx", "ods", "arff"] | None
    delimiter: str | None
    no_header: bool | None
    columns: Names | None
    encoding: str | None
    decimal: str | None
    thousands: str | None
    sheet: str | None
    algorithm: Literal["refine", "tdr", "tds", "bottom-up", "genetic"] | None
    local: Literal["nested", "free"] | None
    flatten: bool | None
    tune: bool | None
    max_steps: int | None
    time_limit: Union[float, str, timedelta] | None
    seed: int | None
    threads: int | None
    memory: str | None
    metric: Literal["lm", "cm", "rm", "rm-median"] | None
    population: int | None
    iterations: int | None
    mutation: float | None
    bias: float | None
    unseeded: bool | None
    format: Literal["csv", "parquet", "arrow", "jsonl"] | None
    into: str | None
    round_bounds: bool | None
    shuffle: bool | None
    shuffle_key: str | None
    token_key: str | None
    strict: bool | None
    no_screen: bool | None
    no_sample: bool | None
    evaluate: bool | None
    what_if: bool | None
