"""Write the small teaching examples: their graphs, seeded weights, and PyTorch's outputs.

    python3 examples/make_small.py

Nothing is trained here. Each folder gets its graph, its weights (where it has any), io.safetensors
with ``input.N`` and ``output.N``, and expected.json, which says what made them.
"""

import json
import operator
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Tuple

import torch
from torch import nn

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))

import fx2wasm  # noqa: E402

SEED = 0


class MatmulRelu(nn.Module):
    """The lecture's first FX graph: a parameter that forward reads itself is a get_attr node."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(128, 128))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(torch.matmul(x, self.weight))


class ResidualAdd(nn.Module):
    """A value with two readers: x goes into the layer and past it."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(64, 64)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return operator.add(x, torch.relu(self.linear(x)))


class ReluThreeWays(nn.Module):
    """One idea as call_module, call_function and call_method."""

    def __init__(self) -> None:
        super().__init__()
        self.relu = nn.ReLU()

    def forward(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        return self.relu(x) + torch.relu(y) + z.relu()


class CallMethod(nn.Module):
    """Everything as a method of the tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(12, 6))
        self.bias = nn.Parameter(torch.randn(6))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = x.flatten(1).matmul(self.weight).add(self.bias).relu()
        h = h.view(2, 3, 2)
        return h.mul(h).sub(0.5).reshape(4, 3)


@dataclass(frozen=True)
class Small:
    """A model and the shapes of its inputs."""

    build: Callable[[], nn.Module]
    inputs: Tuple[Tuple[int, ...], ...]


EXAMPLES = {
    "matmul_relu": Small(MatmulRelu, ((1, 128),)),
    "residual_add": Small(ResidualAdd, ((4, 64),)),
    "relu_three_ways": Small(ReluThreeWays, ((2, 8), (2, 8), (2, 8))),
    "call_method": Small(CallMethod, ((2, 3, 4),)),
}


def write(key: str, example: Small) -> None:
    """Write the example's folder."""
    torch.manual_seed(SEED)
    model = example.build().eval()
    inputs = [torch.randn(shape) for shape in example.inputs]
    with torch.no_grad():
        output = model(*inputs)
    folder = HERE / key
    folder.mkdir(exist_ok=True)
    weights = folder / f"{key}.safetensors" if model.state_dict() else "none"
    graph = fx2wasm.export(model, inputs, folder / f"{key}.fx.json", weights)
    tensors = {f"input.{index}": tensor for index, tensor in enumerate(inputs)}
    tensors["output.0"] = output
    fx2wasm.write_safetensors(folder / "io.safetensors", tensors)
    expected = {
        "made_by": "examples/make_small.py",
        "torch": torch.__version__,
        "seed": SEED,
        "inputs": [
            {"name": node["name"], **node["meta"]}
            for node in graph["nodes"]
            if node["op"] == "placeholder"
        ],
        "io": "io.safetensors",
    }
    text = json.dumps(expected, indent=2)
    (folder / "expected.json").write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Write all of them."""
    for key, example in EXAMPLES.items():
        write(key, example)


if __name__ == "__main__":
    main()
