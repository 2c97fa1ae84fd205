"""The recorded answers of ../examples: recomputed here, so that nobody has to trust the script."""

import gzip
import importlib
import json
import sys
import unittest
from pathlib import Path

import numpy as np
import torch

import fx2wasm

from .rebuild import rebuild

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
INDEX = json.loads((EXAMPLES / "index.json").read_text())
LEAST = {"mlp": 0.88, "cnn": 0.91}


def script(name):
    """A module of the examples' folder."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(EXAMPLES))


def read_json(path):
    return json.loads((EXAMPLES / path).read_text())


def read_images():
    """Pixels as bytes (10000, 784) and labels, read without the examples' own code."""
    files = INDEX["fashion_mnist"]
    pixels = gzip.decompress((EXAMPLES / files["images"]).read_bytes())
    labels = gzip.decompress((EXAMPLES / files["labels"]).read_bytes())
    return (
        np.frombuffer(pixels, np.uint8, offset=16).reshape(10000, 784),
        np.frombuffer(labels, np.uint8, offset=8),
    )


def entries(kind):
    return [entry for entry in INDEX["examples"] if entry["kind"] == kind]


class IndexTest(unittest.TestCase):
    def test_files_exist_and_the_graph_names_its_weights(self):
        for entry in INDEX["examples"]:
            graph = read_json(entry["graph"])
            named = graph.get("weights")
            folder = Path(entry["graph"]).parent
            self.assertEqual(named and str(folder / named), entry["weights"], entry["id"])
            if entry["weights"]:
                held = fx2wasm.read_safetensors(EXAMPLES / entry["weights"])
                self.assertEqual(set(held), set(graph["tensors"]))
            self.assertTrue(read_json(entry["expected"])["torch"])
        self.assertEqual(INDEX["fashion_mnist"]["classes"], script("fashion_mnist").LABELS)

    def test_all_of_it_is_small(self):
        size = sum(path.stat().st_size for path in EXAMPLES.rglob("*") if path.is_file())
        self.assertLess(size, 8_000_000)


class TensorsTest(unittest.TestCase):
    def test_the_graph_gives_the_recorded_output(self):
        for entry in entries("tensors"):
            io = fx2wasm.read_safetensors(EXAMPLES / entry["io"])
            weights = entry["weights"] and fx2wasm.read_safetensors(EXAMPLES / entry["weights"])
            model = rebuild(read_json(entry["graph"]), weights or {})
            inputs = [io[f"input.{index}"] for index in range(len(io) - 1)]
            described = [(x["shape"], x["dtype"]) for x in read_json(entry["expected"])["inputs"]]
            self.assertEqual([(list(x.shape), "float32") for x in inputs], described)
            with torch.no_grad():
                torch.testing.assert_close(model(*inputs), io["output.0"], rtol=1e-5, atol=1e-5)


class FashionMnistTest(unittest.TestCase):
    def check(self, entry, scores, labels):
        """Scores of all images, computed in float64 by another way than the script's."""
        expected = read_json(entry["expected"])
        predicted = scores.argmax(1)
        self.assertEqual("".join(map(str, predicted)), expected["predictions"])
        self.assertEqual(int((predicted == labels).sum()), expected["correct"])
        self.assertGreaterEqual(expected["correct"], LEAST[entry["id"]] * 10000)
        self.assertEqual(expected["accuracy"], expected["correct"] / expected["images"])
        recorded = np.array(expected["first_scores"])
        self.assertEqual(recorded.shape, (256, 10))
        np.testing.assert_allclose(recorded, scores[:256], rtol=1e-5, atol=1e-5)
        best = np.sort(scores, 1)[:, -2:]
        self.assertGreater((best[:, 1] - best[:, 0]).min(), 1e-4)

    def inputs(self, entry):
        pixels, labels = read_images()
        described = read_json(entry["expected"])["input"]
        (placeholder,) = [
            node for node in read_json(entry["graph"])["nodes"] if node["op"] == "placeholder"
        ]
        self.assertEqual(placeholder["meta"]["shape"], described["shape"])
        scaled = (pixels * described["scale"]).astype(np.float32)
        np.testing.assert_array_equal(scaled, (pixels / 255).astype(np.float32))
        return scaled.reshape(-1, *described["shape"][1:]), labels

    def test_mlp_by_numpy(self):
        (entry,) = [entry for entry in INDEX["examples"] if entry["id"] == "mlp"]
        images, labels = self.inputs(entry)
        tensors = fx2wasm.read_safetensors(EXAMPLES / entry["weights"])
        w = {name: tensor.numpy().astype(np.float64) for name, tensor in tensors.items()}
        hidden = np.maximum(images @ w["linear0.weight"].T + w["linear0.bias"], 0)
        self.check(entry, hidden @ w["linear1.weight"].T + w["linear1.bias"], labels)

    def test_graphs_by_torch(self):
        for entry in entries("fashion_mnist"):
            images, labels = self.inputs(entry)
            tensors = fx2wasm.read_safetensors(EXAMPLES / entry["weights"])
            model = rebuild(read_json(entry["graph"]), tensors).double()
            batches = torch.from_numpy(images).double().split(500)
            with torch.no_grad():
                scores = torch.cat([model(batch) for batch in batches])
            self.check(entry, scores.numpy(), labels)

    def test_the_graphs_are_those_of_the_models(self):
        train = script("train")
        for entry in entries("fashion_mnist"):
            example = train.EXAMPLES[entry["id"]]
            want = read_json(entry["graph"])
            del want["weights"]
            got = fx2wasm.export(example.build(), [example.input_shape], weights="none")
            self.assertEqual(json.loads(str(got)), want)


class RefusedSeedTest(unittest.TestCase):
    """The script's own judgement of a seed."""

    def refuse(self, mention, correct, single, double):
        train = script("train")
        with self.assertRaises(train.SeedRefused) as caught:
            train.check(train.EXAMPLES["mlp"], correct, single, double)
        self.assertIn(mention, str(caught.exception))

    def test_refusals(self):
        clear = torch.tensor([[0.0, 1.0, 2.0]] * 4)
        close = clear.clone()
        close[2] = torch.tensor([0.0, 1.0, 1.00009])
        other = clear.flip(1)
        train = script("train")
        train.check(train.EXAMPLES["mlp"], 4, clear, clear.double())
        self.refuse("right answers", 3, clear, clear.double())
        self.refuse("float32", 4, close, clear.double())
        self.refuse("float64", 4, clear, close.double())
        self.refuse("different classes", 4, clear, other.double())


if __name__ == "__main__":
    unittest.main()
