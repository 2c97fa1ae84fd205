"""One case: a small function or module is traced, exported, and run by PyTorch on seeded inputs."""

from __future__ import annotations

import inspect
import json
import math
import operator
import shutil
import sys
import zlib
from pathlib import Path

import torch
from torch import fx, nn

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "python"))

from fx2wasm.graph import export  # noqa: E402
from fx2wasm.tensorfile import write_safetensors  # noqa: E402

CASES = HERE / "cases"

DTYPES = {
    "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "f64": torch.float64,
    "i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "i8": torch.int8,
    "u8": torch.uint8, "b": torch.bool,
}


def setitem(tensor, key, value):
    """``tensor[key] = value`` as a node, which Python's statement cannot be while tracing."""
    if isinstance(tensor, fx.Proxy):
        arguments = (tensor, key, value)
        return tensor.tracer.create_proxy("call_function", operator.setitem, arguments, {})
    return operator.setitem(tensor, key, value)


def _kind(text: str) -> tuple[str, str, list[str]]:
    """``"i64<5 3,n"`` → dtype, what its elements are, dimensions."""
    words = text.split()
    stem = words[0] if words else "f32"
    for mark in "<+!":
        stem = stem.split(mark)[0]
    if stem not in DTYPES:
        words.insert(0, "f32")
        stem = "f32"
    return stem, words[0][len(stem):], words[1].split(",") if len(words) > 1 else []


def _sample(spec, generator: torch.Generator, sizes: dict[str, int]) -> torch.Tensor:
    """A tensor as given, or one from text: ``<5`` below 5, ``+`` positive, ``!`` never zero."""
    if isinstance(spec, torch.Tensor):
        return spec.clone()
    stem, mark, dims = _kind(spec)
    dtype = DTYPES[stem]
    shape = [sizes[dim] if dim.isidentifier() else int(dim) for dim in dims]
    if dtype == torch.bool:
        return torch.rand(shape, generator=generator) > 0.5
    if dtype.is_floating_point:
        values = torch.randn(shape, generator=generator) * 2
        return (values.abs() + 0.25 if mark == "+" else values).to(dtype)
    low = 0 if mark.startswith("<") or dtype == torch.uint8 else -9
    high = int(mark[1:]) if mark.startswith("<") else 10
    values = torch.randint(1 if mark == "+" else low, high, shape, generator=generator)
    return (torch.where(values == 0, 3, values) if mark == "!" else values).to(dtype)


def _tensors_of(value) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in _tensors_of(item)]
    return []


def _root(function, modules: dict[str, nn.Module]) -> nn.Module:
    """A module whose forward has the function's parameters, and the modules."""
    names = list(inspect.signature(function).parameters)[1 if modules else 0:]
    listed = ", ".join(names)
    first = "self, " if modules else ""
    scope = {"function": function}
    exec(f"def forward(self, {listed}):\n    return function({first}{listed})", scope)
    root = type("Case", (nn.Module,), {"forward": scope["forward"]})()
    for name, module in modules.items():
        root.add_module(name, module)
    return root


def _randomize(model: nn.Module, generator: torch.Generator) -> None:
    """Weights that a test can tell apart: fresh norms have ones and zeros only."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.5)
        for name, buffer in model.named_buffers():
            if name.endswith("running_var"):
                buffer.copy_(torch.rand(buffer.shape, generator=generator) + 0.5)
            elif name.endswith("running_mean"):
                buffer.copy_(torch.randn(buffer.shape, generator=generator))


class Family:
    """The cases of one family of operators: call it to record one."""

    made = 0
    failed: list[str] = []
    only: set[str] = set()

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, name, function, *inputs, modules=None, sizes=None, tol=None):
        """Records a case.

        Args:
            name: the case's folder.
            function: what is traced; with ``modules``, its first parameter has them.
            inputs: tensors, or text such as ``"f16 4,n"``.
            modules: a function that makes the modules by name.
            sizes: for each named dimension its two sizes: one recording is made of each.
            tol: rtol and atol where 1e-5 is not to be had (float16).
        """
        if Family.only and f"{self.name}/{name}" not in Family.only:
            return
        seed = zlib.crc32(f"{self.name}/{name}".encode())
        torch.manual_seed(seed)
        generator = torch.Generator().manual_seed(seed)
        root = _root(function, modules() if modules else {}).eval()
        _randomize(root, generator)
        folder = CASES / self.name / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        types = []
        for spec in inputs:
            if isinstance(spec, torch.Tensor):
                types.append((list(spec.shape), spec.dtype))
            else:
                stem, _, dims = _kind(spec)
                types.append(([d if d.isidentifier() else int(d) for d in dims], DTYPES[stem]))
        try:
            export(root, types, folder / "graph.fx.json", name=name)
            for index in range(2 if sizes else 1):
                chosen = {dim: pair[index] for dim, pair in (sizes or {}).items()}
                samples = [_sample(spec, generator, chosen) for spec in inputs]
                tensors = {f"input.{i}": s.clone() for i, s in enumerate(samples)}
                with torch.no_grad():
                    results = _tensors_of(root(*samples))
                if not results:
                    raise ValueError("no tensor comes out")
                tensors |= {f"output.{i}": r.contiguous() for i, r in enumerate(results)}
                name_of_file = "io2.safetensors" if index else "io.safetensors"
                write_safetensors(folder / name_of_file, tensors)
        except Exception as error:
            shutil.rmtree(folder)
            Family.failed.append(f"{self.name}/{name}: {error}")
            return
        if tol is not None:
            text = json.dumps({"rtol": tol[0], "atol": tol[1]})
            (folder / "expected.json").write_text(text + "\n", encoding="utf-8")
        Family.made += 1

    def module(self, name, make, *inputs, **options):
        """Records a case of one module with one result."""
        call = (lambda m, x: m.it(x)) if len(inputs) == 1 else (lambda m, x, y: m.it(x, y))
        self(name, call, *inputs, modules=lambda: {"it": make()}, **options)


HALF = (2e-3, 2e-3)
NAN = math.nan
INF = math.inf
