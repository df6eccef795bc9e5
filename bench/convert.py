#!/usr/bin/env python3
"""The CSV logs of a tree, or flat tables, as Parquet or JSON lines with typed values.

  convert.py SOURCE TARGET parquet|jsonl

Every `*.csv` below SOURCE becomes a file of the same name and place below TARGET. Flags become booleans, `year` and
`retry_count` whole numbers, the trust columns floating-point numbers, empty cells null; all other columns stay text.
Needs polars (requirements.txt).
"""
import argparse
import pathlib

import polars as pl

FLAGS = ("elevated", "has_insurance", "relocated", "flooded_this_year", "governance_intervention")
WHOLE = ("year", "retry_count")
FLOATS = ("trust_in_insurance", "trust_in_neighbors", "trust_insurance", "trust_neighbors")


def typed(frame):
    """The frame with flags, whole numbers and floating-point numbers in place of their texts."""
    columns = []
    for name in frame.columns:
        if name in FLAGS:
            columns.append((pl.col(name) == "True").alias(name))
        elif name in WHOLE:
            columns.append(pl.col(name).cast(pl.Int64))
        elif name in FLOATS:
            columns.append(pl.col(name).cast(pl.Float64))
    return frame.with_columns(columns)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("target", type=pathlib.Path)
    parser.add_argument("format", choices=("parquet", "jsonl"))
    args = parser.parse_args()
    count = 0
    for path in sorted(args.source.rglob("*.csv")):
        frame = typed(pl.read_csv(path, infer_schema=False))
        target = (args.target / path.relative_to(args.source)).with_suffix("." + args.format)
        target.parent.mkdir(parents=True, exist_ok=True)
        if args.format == "parquet":
            frame.write_parquet(target)
        else:
            frame.write_ndjson(target)
        count += 1
    print(f"{count} files")


if __name__ == "__main__":
    main()
