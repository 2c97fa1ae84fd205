"""Record small models with sizes of the caller's choice: their graphs, and PyTorch's numbers.

    python3 wasm-backend/tests/recorded/make.py

symbolic.test.mjs compiles and runs what this writes: sizes that are computed from others (behind a
convolution, a pool, a padding), and so reach a PrimFunc as integers instead of as extents; and
sizes of zero.
"""

import sys
from pathlib import Path
from typing import Sequence, Tuple

import torch
from torch import nn

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "python"))

import fx2wasm  # noqa: E402

SEED = 0
Shape = Tuple[int, ...]



class Reductions(nn.Module):
    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, ...]:
        return x.sum(1), x.prod(1), (x > 0).all(1), (x > 0).any(1), x.mean(0)


conv = nn.Conv2d
CASES = {
    "conv_pool_conv": (
        lambda: nn.Sequential(conv(3, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                              conv(4, 4, 3, padding=1)),
        ("n", 3, "h", 8), [(2, 3, 6, 8), (1, 3, 9, 8)]),
    "strided_hw": (
        lambda: nn.Sequential(conv(3, 4, 3, padding=1, stride=2), nn.ReLU(),
                              conv(4, 2, 3, padding=1)),
        ("n", 3, "h", "w"), [(2, 3, 6, 8), (1, 3, 9, 7)]),
    "padded_pools": (
        lambda: nn.Sequential(nn.ZeroPad2d((1, 2, 0, 1)), nn.AvgPool2d(2, padding=1),
                              nn.MaxPool2d(3, 2, padding=1)),
        ("n", 2, "h", "w"), [(2, 2, 6, 8), (1, 2, 9, 7)]),
    "transposed": (
        lambda: nn.Sequential(nn.MaxPool2d(2), nn.ConvTranspose2d(2, 3, 2, stride=2),
                              conv(3, 1, 3, padding=1)),
        ("n", 2, "h", "w"), [(2, 2, 6, 8), (1, 2, 9, 7)]),
    "empty_reductions": (Reductions, ("n", "m"), [(3, 4), (2, 0)]),
    "empty_batch": (
        lambda: nn.Sequential(conv(3, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                              nn.Linear(16, 3), nn.Softmax(1)),
        ("n", 3, 4, 4), [(2, 3, 4, 4), (0, 3, 4, 4)]),
    "empty_batch_static": (
        lambda: nn.Sequential(conv(3, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        (0, 3, 8, 8), [(0, 3, 8, 8)]),
    "pool_softmax": (
        lambda: nn.Sequential(nn.MaxPool1d(2), nn.Softmax(2), nn.LogSoftmax(0)),
        ("n", 2, "l"), [(2, 2, 6), (3, 2, 9)]),
}


def record(name: str, model: nn.Module, spec: Sequence[object], shapes: Sequence[Shape]) -> None:
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    model.eval()
    fx2wasm.export(model, [spec], folder / "graph.fx.json", name=name)
    for file, shape in zip(("io.safetensors", "io2.safetensors"), shapes):
        x = torch.randn(shape)
        with torch.no_grad():
            results = model(x)
        tensors = {"input.0": x}
        for i, result in enumerate(results if isinstance(results, tuple) else (results,)):
            tensors[f"output.{i}"] = result.contiguous()
        fx2wasm.write_safetensors(folder / file, tensors)


def main() -> None:
    for name, (make, spec, shapes) in CASES.items():
        torch.manual_seed(SEED)
        record(name, make(), spec, shapes)


if __name__ == "__main__":
    main()
