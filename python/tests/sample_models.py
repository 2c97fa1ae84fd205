"""Models that the tests export; ``# STOPS: Name`` marks where that model's trace stops."""

import math
import operator

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear0 = nn.Linear(784, 128)
        self.relu = nn.ReLU()
        self.linear1 = nn.Linear(128, 10)

    def forward(self, x):
        return self.linear1(self.relu(self.linear0(x)))


class Product(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(128, 128))

    def forward(self, x):
        return torch.relu(torch.matmul(x, self.weight))


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc1 = nn.Linear(16 * 5 * 5, 32)
        self.fc2 = nn.Linear(32, 10)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = torch.flatten(x, 1)
        return self.fc2(F.relu(self.fc1(x)))


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(12, 8)
        self.head = nn.Linear(8, 12, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, tokens):
        return self.head(self.embed(tokens))


class TiedAttribute(nn.Module):
    """The same parameter inside a leaf module and read by forward under another name."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.again = self.linear.weight

    def forward(self, x):
        return torch.matmul(self.linear(x), self.again)


class Kinds(nn.Module):
    def __init__(self):
        super().__init__()
        self.parameter = nn.Parameter(torch.randn(3))
        self.register_buffer("buffer", torch.randn(3))
        self.constant = torch.randn(3)

    def forward(self, x):
        return x + self.parameter + self.buffer + self.constant


class Arguments(nn.Module):
    """Every form of an argument."""

    def forward(self, x, y):
        a = x[..., 1:3, None]
        b = torch.clamp(y, min=-math.inf, max=math.inf).to(torch.float64)
        c = torch.zeros_like(x, dtype=torch.float32, device=torch.device("cpu"))
        d = c.contiguous(memory_format=torch.contiguous_format)
        e = torch.nn.functional.pad(d, [1, 1], value=math.nan)
        f = x[: x.size(0)]
        return {"a": a, "rest": (b, [e, f], None, True, 1, 1.0, 2**62)}


class Functions(nn.Module):
    def forward(self, x):
        x = F.relu(torch.add(x, 1))
        x = operator.mul(x, math.sqrt(x.size(0)))
        x = F.gelu(x)
        return torch.ops.aten.relu.default(x) - torch.ops.aten.relu(x)


class Defaults(nn.Module):
    def forward(self, x, scale=2.0, shift=None):
        return x * scale


class Setting(nn.Module):
    def forward(self, x, mode="relu", twice=False):
        if mode == "relu":  # STOPS: Setting
            x = torch.relu(x)
        return x + x if twice else x


class Dropping(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        return F.dropout(self.layer(x), training=self.training)


class Mixed(nn.Module):
    """Parameters and buffers of several widths, in an order that would misalign them."""

    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.randn(3).to(torch.float16))
        self.register_buffer("b", torch.tensor([True, False, True]))
        self.register_buffer("c", torch.tensor([1, -(2**40)]))
        self.d = nn.Parameter(torch.randn(1).to(torch.bfloat16))
        self.register_buffer("e", torch.zeros(0, 4))
        self.f = nn.Parameter(torch.tensor(1.5))

    def forward(self, x):
        return x + self.a + self.b + self.c.sum() + self.d + self.e.sum() + self.f


class BranchOnData(nn.Module):
    def forward(self, x):
        x = torch.relu(x)
        if x.sum() > 0:  # STOPS: BranchOnData
            return x
        return -x


class BranchOnSize(nn.Module):
    def forward(self, x):
        if x.size(1) != 3:  # STOPS: BranchOnSize
            raise ValueError("three channels")
        return x


class Inner(nn.Module):
    def forward(self, x):
        while x.max() < 1:  # STOPS: BranchInside
            x = x + x
        return x


class BranchInside(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x):
        return self.inner(x)


class LoopOverRows(nn.Module):
    def forward(self, x):
        total = 0
        for row in x:  # STOPS: LoopOverRows
            total = total + row
        return total


class Length(nn.Module):
    def forward(self, x):
        return x / len(x)  # STOPS: Length


class Counted(nn.Module):
    def forward(self, x):
        for _ in range(x.size(0)):  # STOPS: Counted
            x = x + 1
        return x


class Numpy(nn.Module):
    def forward(self, x):
        return torch.from_numpy(np.asarray(x))  # STOPS: Numpy


class Broken(nn.Module):
    def forward(self, x):
        return x + self.missing  # STOPS: Broken


class Asserts(nn.Module):
    def forward(self, x):
        assert x.shape[0] == 2  # STOPS: Asserts
        return x


class NeedsArgument(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        return self.layer(x)


class Spread(nn.Module):
    def forward(self, *xs):
        return xs


def small():
    """What the command line calls instead of a class that takes arguments."""
    return NeedsArgument(5)


instance = NeedsArgument(2)
