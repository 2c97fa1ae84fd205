"""Train the two Fashion MNIST examples and record what PyTorch answers.

    python3 examples/train.py            # both, about six minutes on one core
    python3 examples/train.py mlp

Writes mlp/ and cnn/: the graph, the weights, and expected.json with PyTorch's predictions on all
10,000 test images and its scores for the first 256. It needs torch, numpy and Debian's package
dataset-fashion-mnist. One thread and a fixed seed make it repeatable on one version of torch.

A seed whose model is not accurate enough is refused, and so is one whose two best scores come
within MARGIN of each other on any test image: there the order of a float sum could change the
prediction, and "the same number of right answers as PyTorch" would be a matter of luck.
"""

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import torch
from torch import nn

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))

import fashion_mnist  # noqa: E402
import models  # noqa: E402

import fx2wasm  # noqa: E402

MARGIN = 1e-4
BATCH = 128
RECORDED = 256


@dataclass(frozen=True)
class Example:
    """How one model is trained and how good it must become."""

    build: Callable[[], nn.Module]
    input_shape: Tuple[int, ...]  # of one image, batch included: what the graph takes
    scores: str  # what the ten numbers are
    seed: int
    epochs: int
    learning_rate: float
    mirror: bool  # show each training image or its mirror image
    least_accuracy: float


EXAMPLES = {
    "mlp": Example(models.MLP, (1, 784), "logits", 0, 10, 3e-3, False, 0.88),
    "cnn": Example(models.CNN, (1, 1, 28, 28), "log-probabilities", 0, 18, 4e-3, True, 0.91),
}


class SeedRefused(Exception):
    """The trained model is not accurate enough, or too close to a tie somewhere."""


def train(example: Example, images: torch.Tensor, labels: torch.Tensor) -> nn.Module:
    """Adam under a one-cycle learning rate; returns the model in evaluation mode."""
    torch.manual_seed(example.seed)
    model = example.build()
    # What training minimises. Softmax of log-probabilities is the probabilities themselves, so one
    # loss serves both models.
    loss_of = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=example.learning_rate)
    steps = example.epochs * -(-len(images) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, example.learning_rate, total_steps=steps
    )
    started = time.monotonic()
    for epoch in range(example.epochs):
        total = 0.0
        for chosen in torch.randperm(len(images)).split(BATCH):
            batch = images[chosen]
            if example.mirror:
                mirrored = torch.rand(len(batch), 1, 1) < 0.5
                batch = torch.where(mirrored, batch.flip(2), batch)
            optimizer.zero_grad()
            loss = loss_of(model(batch.reshape(-1, *example.input_shape[1:])), labels[chosen])
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(batch)
        seconds = time.monotonic() - started
        print(f"  epoch {epoch + 1}: loss {total / len(images):.4f}, {seconds:.0f} s", flush=True)
    return model.eval()


def measure(model: nn.Module, images: torch.Tensor, shape: Tuple[int, ...]) -> torch.Tensor:
    """The scores of every image, one image at a time as the compiled graph takes them."""
    with torch.no_grad():
        return torch.cat([model(image.reshape(shape)) for image in images])


def smallest_margin(scores: torch.Tensor) -> float:
    """How near the best two scores of any image come."""
    best = scores.topk(2, dim=1).values
    return (best[:, 0] - best[:, 1]).min().item()


def check(example: Example, correct: int, single: torch.Tensor, double: torch.Tensor) -> None:
    """Raise SeedRefused unless the recorded answers are good and beyond doubt."""
    least = example.least_accuracy * len(single)
    if correct < least:
        raise SeedRefused(f"{correct} right answers, at least {least:.0f} are needed")
    for name, scores in (("float32", single), ("float64", double)):
        if smallest_margin(scores) <= MARGIN:
            raise SeedRefused(f"the best two scores come within {MARGIN} of each other in {name}")
    if not torch.equal(single.argmax(1), double.argmax(1)):
        raise SeedRefused("float32 and float64 predict different classes")


def record(
    key: str, example: Example, model: nn.Module, images: torch.Tensor, labels: torch.Tensor
) -> None:
    """Check the model on the test images and write the example's folder."""
    single = measure(model, images, example.input_shape)
    weights = {name: value.clone() for name, value in model.state_dict().items()}
    double = measure(model.double(), images.double(), example.input_shape)
    model.float().load_state_dict(weights)
    predicted = single.argmax(1)
    correct = int((predicted == labels).sum())
    print(
        f"  {correct} of {len(labels)} right, smallest margin {smallest_margin(single):.2e}, "
        f"float32 off by at most {(single - double).abs().max().item():.1e}"
    )
    check(example, correct, single, double)

    folder = HERE / key
    folder.mkdir(exist_ok=True)
    fx2wasm.export(
        model, [example.input_shape], folder / f"{key}.fx.json", folder / f"{key}.safetensors"
    )
    expected = {
        "made_by": "examples/train.py",
        "torch": torch.__version__,
        "seed": example.seed,
        "epochs": example.epochs,
        "input": {
            "name": "x",
            "shape": list(example.input_shape),
            "dtype": "float32",
            "scale": fashion_mnist.SCALE,
        },
        "scores": example.scores,
        "images": len(labels),
        "correct": correct,
        "accuracy": correct / len(labels),
        "smallest_margin": {
            "float32": smallest_margin(single),
            "float64": smallest_margin(double),
        },
        "predictions": "".join(map(str, predicted.tolist())),
        "first_scores": [[float(f"{s:.9g}") for s in row] for row in single[:RECORDED].tolist()],
    }
    (folder / "expected.json").write_text(_rows(expected), encoding="utf-8")


def _rows(expected: Dict[str, Any]) -> str:
    """JSON with one field a line, and one image a line in the table of scores."""

    def field(value: Any) -> str:
        if isinstance(value, list) and value and isinstance(value[0], list):
            return "[\n" + ",\n".join("    " + json.dumps(row) for row in value) + "\n  ]"
        return json.dumps(value)

    lines: List[str] = [f"  {json.dumps(key)}: {field(value)}" for key, value in expected.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """Exit status 1 where a seed was refused: choose another in EXAMPLES."""
    parser = argparse.ArgumentParser(description="Train the Fashion MNIST examples.")
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE", help="mlp, cnn (both)")
    parser.add_argument("--data", type=Path, default=fashion_mnist.DEBIAN)
    options = parser.parse_args()
    unknown = [key for key in options.examples if key not in EXAMPLES]
    if unknown:
        parser.error(f"no such example: {', '.join(unknown)}; known: {', '.join(EXAMPLES)}")
    torch.set_num_threads(1)
    images, labels = fashion_mnist.load(options.data, fashion_mnist.TRAIN_FILES)
    test_images, test_labels = fashion_mnist.load(options.data, fashion_mnist.TEST_FILES)
    for key in options.examples or EXAMPLES:
        print(key, flush=True)
        try:
            model = train(EXAMPLES[key], images, labels)
            record(key, EXAMPLES[key], model, test_images, test_labels)
        except SeedRefused as reason:
            print(f"seed {EXAMPLES[key].seed} is refused: {reason}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
