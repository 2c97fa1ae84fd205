#!/usr/bin/env python3
"""Records conformance/more/cases: small graphs beyond TVM's cases, with PyTorch's numbers.

    python conformance/more/make.py [FAMILY/NAME …]

Without names, all are made anew. PyTorch 2.9 or later is needed. What is recorded does not change
from run to run: the inputs of a case are drawn from a seed that is made of its name.
"""

from __future__ import annotations

import importlib
import shutil
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from recording import CASES, Family  # noqa: E402


def main(names: list[str]) -> int:
    """Records the named cases, or all; the exit status says whether each could be."""
    warnings.filterwarnings("ignore")
    Family.only = set(names)
    if not names:
        shutil.rmtree(CASES, ignore_errors=True)
    for file in sorted((HERE / "families").glob("*.py")):
        importlib.import_module(f"families.{file.stem}")
    for message in Family.failed:
        print(message, file=sys.stderr)
    size = sum(file.stat().st_size for file in CASES.rglob("*") if file.is_file())
    print(f"{Family.made} cases; all cases have {size} bytes")
    return 1 if Family.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
