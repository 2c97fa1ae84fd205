"""``python -m fx2wasm``: export a model from a shell."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import pickle
import sys
from pathlib import Path
from typing import Any, Optional, Sequence

import torch
from torch import nn

from .errors import ExportError
from .graph import export
from .inputs import InputSpec, parse_type
from .names import dtype_name
from .tensorfile import read_safetensors


def _load_model(where: str) -> nn.Module:
    """The model that ``file.py:Name`` or ``package.module:Name`` names.

    A class or a function is called without arguments; a module is taken as it is.
    """
    source, _, name = where.rpartition(":")
    if not source or not name:
        raise ExportError(f"{where!r}: expected file.py:Model or package.module:Model")
    if source.endswith(".py"):
        file = Path(source)
        if not file.is_file():
            raise ExportError(f"{source}: no such file")
        sys.path.insert(0, str(file.resolve().parent))  # so that it can import its neighbours
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec is not None and spec.loader is not None  # a path that ends in .py has a loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module
        spec.loader.exec_module(module)
    else:
        sys.path.insert(0, "")
        module = importlib.import_module(source)
    value: Any = getattr(module, name, None)
    if value is None:
        raise ExportError(f"{source} defines no {name}")
    if isinstance(value, type) or not isinstance(value, nn.Module):
        try:
            value = value()
        except TypeError as error:
            raise ExportError(
                f"{where} cannot be called without arguments ({error}); name a function that "
                f"returns the model instead"
            ) from error
    if not isinstance(value, nn.Module):
        raise ExportError(f"{where} is a {type(value).__name__}, no torch.nn.Module")
    return value


def _load_state(model: nn.Module, path: str) -> None:
    if path.endswith(".safetensors"):
        state = read_safetensors(path)
    else:
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
        except (RuntimeError, EOFError, pickle.UnpicklingError) as error:
            raise ExportError(f"{path}: no checkpoint that torch can load: {error}") from error
    if not isinstance(state, dict):
        raise ExportError(f"{path}: holds a {type(state).__name__}, not a state_dict")
    try:
        model.load_state_dict(state)
    except RuntimeError as error:  # its message lists every key that does not fit
        raise ExportError(f"{path}: {error}") from error


def _input(text: str, dtype: str) -> tuple[Optional[str], InputSpec]:
    """``[NAME=]SHAPE[:DTYPE]``."""
    name, equals, shape = text.rpartition("=")
    kind = parse_type(shape, dtype)
    return (name if equals else None), (tuple(kind.shape), kind.dtype)


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ExportError(f"--set {text!r}: expected NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fx2wasm", description="Write a PyTorch model as FX graph JSON."
    )
    add = parser.add_argument
    add("model", help="file.py:Model or package.module:Model: a module, or what returns one")
    add(
        "--input",
        action="append",
        default=[],
        metavar="[NAME=]SHAPE[:DTYPE]",
        help='one per input, in order: 1,784 or n,784 (n: any size) or 5:int64 or "" (a scalar)',
    )
    add("--dtype", default="float32", help="dtype of the inputs that give none (float32)")
    add("--weights", default="inline", help="inline (the default), none, or FILE.safetensors")
    add("--state-dict", metavar="FILE", help="load the weights from FILE (.pt or .safetensors)")
    add("--set", action="append", default=[], metavar="NAME=VALUE", dest="settings",
        help="fix an argument of forward: true, false, null, a number or text")  # fmt: skip
    add("-o", "--output", metavar="FILE", help="where to write the JSON (standard output)")
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the command; its exit status is 0, or 1 where the model or the input is at fault."""
    options = _arguments().parse_args(arguments)
    try:
        dtype = dtype_name(options.dtype)
        inputs = [_input(text, dtype) for text in options.input]
        named = {name: spec for name, spec in inputs if name is not None}
        if named and len(named) != len(inputs):
            raise ExportError("--input: give all inputs a name, each its own, or none")
        model = _load_model(options.model)
        if options.state_dict:
            _load_state(model, options.state_dict)
        graph = export(
            model,
            named or [spec for _, spec in inputs],
            options.output,
            options.weights,
            concrete_args=dict(map(_setting, options.settings)),
        )
    except (ExportError, OSError, ImportError) as error:
        print(f"fx2wasm: error: {error}", file=sys.stderr)
        return 1
    if options.output is None:
        print(graph, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
