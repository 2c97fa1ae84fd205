"""The two Fashion MNIST networks of the examples, as a reader of the lecture would write them."""

import torch
from torch import nn


class MLP(nn.Module):
    """The lecture's two-layer network: 784 pixels, 128 hidden units, 10 scores."""

    def __init__(self) -> None:
        super().__init__()
        self.linear0 = nn.Linear(784, 128, bias=True)
        self.relu = nn.ReLU()
        self.linear1 = nn.Linear(128, 10, bias=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.linear0(x)
        x = self.relu(x)
        x = self.linear1(x)
        return x


class CNN(nn.Module):
    """A small network after LeNet: two convolutions, two linear layers, log-probabilities."""

    def __init__(self) -> None:
        super().__init__()
        self.conv0 = nn.Conv2d(1, 8, kernel_size=5, padding=2)
        self.relu0 = nn.ReLU()
        self.pool0 = nn.MaxPool2d(2)
        self.conv1 = nn.Conv2d(8, 24, kernel_size=5)
        self.relu1 = nn.ReLU()
        self.pool1 = nn.MaxPool2d(2)
        self.flatten = nn.Flatten()
        self.linear0 = nn.Linear(600, 64)
        self.relu2 = nn.ReLU()
        self.dropout = nn.Dropout(0.2)
        self.linear1 = nn.Linear(64, 10)
        self.log_softmax = nn.LogSoftmax(dim=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.pool0(self.relu0(self.conv0(x)))
        x = self.pool1(self.relu1(self.conv1(x)))
        x = self.flatten(x)
        x = self.dropout(self.relu2(self.linear0(x)))
        return self.log_softmax(self.linear1(x))
