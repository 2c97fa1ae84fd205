#!/usr/bin/env python3
"""Holds the rules about sources that no compiler checks.

* Includes and imports point one way (docs/architecture.md has the picture).
* Only wasm-backend/bindings/embind.cpp includes Embind.
* Nothing below the translation knows an operator, an example or an expected text.
* Files stay small: headers, sources, TypeScript; no line over 100 columns.
* No generic lambda in a `match`, which would end its exhaustiveness.
* Each row of docs/tvm-deviations.md names a proof, and each proof is there: a case or a test.

Prints each breach as FILE:LINE: what is wrong, and exits with 1 when there is one.
`--self-test` shows that each rule can fail.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent

# folder → the folders it may include besides itself; the order is the data flow.
CORE_LAYERS = {
    "support": [],
    "fx": ["support"],
    "ir": ["support"],
    "arith": ["support", "ir"],
    "te": ["support", "ir", "arith"],
    "topi": ["support", "ir", "arith", "te"],
    "print": ["support", "ir"],
    "interp": ["support", "ir"],
    "schedule": ["support", "ir", "arith"],
    "builder": ["support", "ir", "arith", "te", "topi", "print"],
    "script": ["support", "ir", "arith", "te", "topi", "print", "builder"],
    "parse": ["support", "ir", "script"],
    "translate": ["support", "fx", "ir", "arith", "te", "topi", "print", "builder", "script"],
    "transform": [
        "support", "ir", "arith", "te", "topi", "print", "builder", "translate", "interp",
    ],
}
CORE_LAYERS["report"] = [*CORE_LAYERS]
BACKEND_LAYERS = {
    "encode": [],
    "lower": ["encode"],
    "plan": [],
    "rules": [],
    "library": [],
    "": ["encode", "lower", "plan", "rules"],
    "bindings": [""],
    "cli": [""],
}
WEB_LAYERS = {
    "state": ["state", "strings"],
    "engine": ["state", "engine", "generated", "strings", "runtime"],
    "views": ["state", "engine", "views", "strings"],
}

# What code below the translation must not know (design: lower, schedule, rules, page).
NAMELESS = ("wasm-backend/lower/", "wasm-backend/rules/", "core/schedule/", "web/src/")
FORBIDDEN_NAMES = re.compile(
    r"[\"'`](?:torch\.[\w.]+|nn\.\w+|conv2d\w*|max_pool2d|log_softmax|softmax|matmul|dense|"
    r"fx_mlp\w*|lenet|linear0)[\"'`]"
)

LIMITS = {".h": 300, ".cpp": 600, ".c": 600, ".ts": 400, ".tsx": 400, ".mjs": 400, ".mts": 400,
          ".py": 600}
COLUMNS = 100
GENERATED = ("conformance/", "examples/", "web/package-lock.json")

Breach = tuple[str, int, str]


def tracked() -> list[str]:
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True,
                         capture_output=True, check=True).stdout
    return [name for name in out.splitlines() if (ROOT / name).is_file()]


def layer_of(path: str) -> tuple[str, str] | None:
    parts = PurePosixPath(path).parts
    if parts[0] == "core" and len(parts) > 2:
        return "core", parts[1]
    if parts[0] == "wasm-backend":
        return "backend", parts[1] if len(parts) > 2 else ""
    if parts[:2] == ("web", "src") and len(parts) > 3:
        return "web", parts[2]
    return None


def check_include(path: str, included: str, files: set[str]) -> str | None:
    """Why `path` must not include `included`, or None."""
    layer = layer_of(path)
    if layer is None or path.endswith("_test.cpp"):
        return None
    side, folder = layer
    if "emscripten/bind.h" in included and path != "wasm-backend/bindings/embind.cpp":
        return "only wasm-backend/bindings/embind.cpp may include Embind"
    if "wasm-backend/" + included in files:
        target = PurePosixPath(included).parts
        wanted = target[0] if len(target) > 1 else ""
        if side == "core":
            return "core must not include wasm-backend"
        if wanted != folder and wanted not in BACKEND_LAYERS[folder]:
            return f"{folder or 'wasm-backend'} must not include {wanted or 'wasm-backend'}"
        return None
    if "core/" + included in files and side == "core":
        wanted = PurePosixPath(included).parts[0]
        if folder not in CORE_LAYERS:
            return f"core/{folder} is not in the list of layers"
        if wanted != folder and wanted not in CORE_LAYERS[folder]:
            return f"{folder} must not include {wanted}"
    return None


def check_import(path: str, imported: str) -> str | None:
    layer = layer_of(path)
    if layer is None or layer[0] != "web" or not imported.startswith("."):
        return None
    if layer[1] not in WEB_LAYERS:
        return None
    resolved = (ROOT / path).parent.joinpath(imported.split("?")[0]).resolve()
    try:
        parts = resolved.relative_to(ROOT / "web").parts
    except ValueError:
        return None
    wanted = parts[1] if parts[0] == "src" and len(parts) > 1 else parts[0]
    wanted = wanted.removesuffix(".ts")
    if wanted in WEB_LAYERS or wanted == "runtime":
        if wanted not in WEB_LAYERS[layer[1]]:
            return f"{layer[1]} must not import {wanted}"
    return None


def check_file(path: str, text: str, files: set[str]) -> Iterator[Breach]:
    suffix = PurePosixPath(path).suffix
    lines = text.splitlines()
    limit = LIMITS.get(suffix)
    if limit and len(lines) > limit:
        yield path, len(lines), f"{len(lines)} lines; at most {limit} in a {suffix} file"
    for number, line in enumerate(lines, 1):
        if limit and len(line) > COLUMNS and "http" not in line:
            yield path, number, f"{len(line)} columns; at most {COLUMNS}"
        include = re.match(r'\s*#include [<"]([^>"]+)[>"]', line)
        if include and (why := check_include(path, include[1], files)):
            yield path, number, why
        imported = re.search(r"(?:from|import\()\s*['\"]([^'\"]+)['\"]", line)
        if imported and (why := check_import(path, imported[1])):
            yield path, number, why
        if path.startswith(NAMELESS) and not re.search(r"(_test\.cpp|\.test\.tsx?)$", path):
            if found := FORBIDDEN_NAMES.search(line):
                yield path, number, f"{found[0]} is a name that this folder must not know"
        if suffix in (".h", ".cpp") and re.search(r"^\s*\[[^\]]*\]\(const auto&", line):
            if "match(" in "".join(lines[max(0, number - 12) : number]):
                yield path, number, "a generic lambda in match ends its exhaustiveness"


def check_headers(files: Iterable[str]) -> Iterator[Breach]:
    sizes = sorted(len((ROOT / f).read_text().splitlines()) for f in files if f.endswith(".h"))
    if sizes and sizes[len(sizes) // 2] > 150:
        yield "core", 0, f"the median header has {sizes[len(sizes) // 2]} lines; at most 150"


def check_proofs(path: str, text: str, files: set[str], tests: set[str]) -> Iterator[Breach]:
    """The last cell of each row names cases (`group/name`, `more/family/name`) or tests."""
    folders = {file.rsplit("/", 1)[0] for file in files}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("| ") or line.startswith("| TVM"):
            continue
        proofs = re.findall(r"`([^`]+)`", line.rsplit("|", 2)[1])
        if not proofs:
            yield path, number, "a row without a proof"
        for proof in proofs:
            more = proof.removeprefix("more/")
            folder = "conformance/cases/" + proof
            if more != proof:
                folder = "conformance/more/cases/" + more
            if proof not in tests and folder not in folders:
                yield path, number, f"{proof} is neither a case nor a test"


def check_deviations(files: set[str]) -> Iterator[Breach]:
    tests = set()
    for file in files:
        if file.endswith("_test.cpp"):
            found = re.findall(r"^TEST\((\w+), (\w+)\)", (ROOT / file).read_text(), re.M)
            tests |= {f"{suite}.{name}" for suite, name in found}
    path = "docs/tvm-deviations.md"
    return check_proofs(path, (ROOT / path).read_text(), files, tests)


def check_all() -> list[Breach]:
    names = tracked()
    files = set(names)
    breaches: list[Breach] = []
    for path in names:
        if PurePosixPath(path).suffix in LIMITS and not path.startswith(GENERATED):
            breaches += check_file(path, (ROOT / path).read_text(), files)
    breaches += check_headers(names)
    breaches += check_deviations(files)
    return breaches


def self_test() -> None:
    files = {"core/te/tensor.h", "core/translate/from_fx.h", "wasm-backend/lower/lower.h"}
    bad = {
        "core/ir/x.cpp": '#include "te/tensor.h"\n',
        "core/te/y.cpp": '#include "lower/lower.h"\n',
        "core/te/z.h": "#include <emscripten/bind.h>\n",
        "wasm-backend/encode/e.cpp": '#include "lower/lower.h"\n',
        "wasm-backend/lower/l.cpp": 'if (name == "softmax") return;\n',
        "core/te/long.h": "// a\n" * 301,
        "core/te/wide.cpp": "x" * 101,
        "core/te/m.cpp": "match(e,\n  [](const auto& x) { return 0; });\n",
        "web/src/state/s.ts": "import { client } from '../engine/client';\n",
        "web/src/engine/e.ts": "import { View } from '../views/view';\n",
    }
    for path, text in bad.items():
        if not list(check_file(path, text, files)):
            raise SystemExit(f"self-test: {path} should have been refused")
    good = {"core/translate/t.cpp": '#include "te/tensor.h"\n',
            "web/src/views/v.ts": "import { client } from '../engine/client';\n"}
    for path, text in good.items():
        if found := list(check_file(path, text, files)):
            raise SystemExit(f"self-test: {path} was refused: {found}")
    cases = {"conformance/cases/function/add/io.safetensors"}
    for row, count in (("`function/add`, `A.B`", 0), ("none", 1), ("`more/f/add`, `A.C`", 2)):
        if len(list(check_proofs("docs/d.md", f"| a | b | {row} |", cases, {"A.B"}))) != count:
            raise SystemExit(f"self-test: the proof {row} was judged wrongly")


def main() -> int:
    self_test()
    if "--self-test" in sys.argv:
        return 0
    breaches = check_all()
    for path, line, what in breaches:
        print(f"{path}:{line}: {what}")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
