"""Fashion MNIST as tensors, from the gzipped IDX files of Debian's dataset-fashion-mnist."""

import gzip
from pathlib import Path
from typing import Tuple

import numpy as np
import torch

DEBIAN = Path("/usr/share/datasets/fashion-mnist")
TEST_FILES = ("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz")
TRAIN_FILES = ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz")
LABELS = [
    "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
    "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot",
]  # fmt: skip

# A pixel p (0 to 255) becomes p * SCALE, computed in float64 and then rounded to float32. For all
# 256 values that is the float32 nearest to p / 255, as torchvision's ToTensor gives it.
SCALE = 1 / 255


def _read_idx(path: Path) -> np.ndarray:
    """An IDX file: two zero bytes, the type (8: bytes), the rank, big-endian extents, the data."""
    content = gzip.decompress(path.read_bytes())
    if content[:3] != b"\0\0\x08":
        raise ValueError(f"{path} is no IDX file of bytes")
    rank = content[3]
    shape = np.frombuffer(content, ">u4", rank, offset=4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * rank).reshape(shape)


def load(folder: Path, files: Tuple[str, str]) -> Tuple[torch.Tensor, torch.Tensor]:
    """Images as float32 in [0, 1] of shape (n, 28, 28), and labels as int64 of shape (n,)."""
    images, labels = (_read_idx(folder / name) for name in files)
    if len(images) != len(labels):
        raise ValueError(f"{folder}: {len(images)} images, but {len(labels)} labels")
    scaled = (images.astype(np.float64) * SCALE).astype(np.float32)
    return torch.from_numpy(scaled), torch.from_numpy(labels.astype(np.int64))
