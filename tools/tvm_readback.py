#!/usr/bin/env python3
"""TVM reads our texts back: each module that we print, parsed by the real apache-tvm, is
structurally equal to what TVM makes of its own text; where TVM's text is wrong, ours parses and is
well-formed.

By hand, with apache-tvm 0.27 installed and the native tool built (tests don't need TVM):

    python tools/tvm_readback.py [GROUP|GROUP/NAME ...]

Exit status 1 when a text that TVM can read differs from TVM's own.
"""

import json
import os
import pathlib
import subprocess
import sys

import tvm
from tvm import relax
from tvm_ffi import structural_equal

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ROOT / "conformance" / "cases"
COMPILER = os.environ.get("FX2WASM", str(ROOT / "build" / "release" / "fx2wasm"))
# (options of `fx2wasm translate`, TVM's text)
TEXTS = [
    ([], "expected.from_fx.py"),
    (["--params", "inline"], "expected.inline.py"),
    (["--legalize"], "expected.legalized.py"),
]


def options_of(entry):
    options = entry.get("options") or {}
    words = []
    if options.get("no_bind_return_tuple"):
        words.append("--no-bind-return-tuple")
    if options.get("unwrap_unit_return_tuple"):
        words.append("--unwrap-unit-return-tuple")
    if options.get("default_image_layout"):
        words += ["--default-image-layout", options["default_image_layout"]]
    return words


def parse(text):
    """The module, or None when TVM can't read its own kind of text (metadata, some layouts)."""
    try:
        return tvm.script.from_source(text)
    except Exception:  # TVM's parser raises many kinds
        return None


def is_well_formed(module):
    try:
        relax.analysis.well_formed(module)  # says nothing, or raises
        return True
    except Exception:
        return False


def main():
    wanted = sys.argv[1:]
    index = json.loads((CASES / "index.json").read_text())["cases"]
    counts = {"equal": 0, "parsed, TVM's own text is wrong": 0, "TVM reads neither": 0}
    wrong = []
    for entry in index:
        name = f"{entry['group']}/{entry['name']}"
        graph = CASES / name / "graph.fx.json"
        skipped = wanted and name not in wanted and entry["group"] not in wanted
        if skipped or not graph.exists() or entry["group"] in ("invalid", "lecture"):
            continue
        for words, expected_file in TEXTS:
            expected_path = CASES / name / expected_file
            if not expected_path.exists():
                continue
            command = [COMPILER, "translate", str(graph), *words, *options_of(entry)]
            ours = parse(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            theirs = parse(expected_path.read_text())
            if theirs is None and ours is None:
                counts["TVM reads neither"] += 1
                continue
            faulty = entry.get("text") is False or (
                entry.get("legalized_text") is False and "--legalize" in words)
            if faulty:
                if ours is None or not is_well_formed(ours):
                    wrong.append(f"{name} ({expected_file}): not read, or not well-formed")
                else:
                    counts["parsed, TVM's own text is wrong"] += 1
                continue
            if theirs is None or ours is None or not structural_equal(ours, theirs):
                wrong.append(f"{name} ({expected_file}): not equal to TVM's")
            else:
                counts["equal"] += 1
    for what, count in counts.items():
        print(f"{count:5} {what}")
    for line in wrong:
        print("WRONG", line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
