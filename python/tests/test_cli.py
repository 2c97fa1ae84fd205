"""``python -m fx2wasm``, run as a user runs it."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import torch

import fx2wasm
from fx2wasm.__main__ import main

from . import sample_models as models

HERE = Path(__file__).resolve().parent
MODELS = str(HERE / "sample_models.py")


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_cli(self, *arguments, status=0):
        environment = {**os.environ, "PYTHONPATH": str(HERE.parent), "PYTHONWARNINGS": "ignore"}
        done = subprocess.run(
            [sys.executable, "-m", "fx2wasm", *arguments],
            cwd=self.folder, env=environment, capture_output=True, text=True,
        )  # fmt: skip
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_weights_in_a_file_from_a_checkpoint(self):
        model = models.MLP()
        torch.save(model.state_dict(), self.folder / "trained.pt")
        self.run_cli(
            f"{MODELS}:MLP", "--input", "1,784", "--state-dict", "trained.pt",
            "--weights", "mlp.safetensors", "-o", "mlp.fx.json",
        )  # fmt: skip
        graph = json.loads((self.folder / "mlp.fx.json").read_text())
        self.assertEqual(graph["weights"], "mlp.safetensors")
        want = fx2wasm.export(model, [(1, 784)], weights="none")
        self.assertEqual({**graph, "weights": None}, {**want, "weights": None})
        written = fx2wasm.read_safetensors(self.folder / "mlp.safetensors")
        for name, tensor in model.state_dict().items():
            self.assertTrue(torch.equal(written[name], tensor), name)
        self.run_cli(
            f"{MODELS}:MLP", "--input", "1,784", "--state-dict", "mlp.safetensors",
            "--weights", "again.safetensors", "-o", "again.fx.json",
        )  # fmt: skip
        self.assertEqual(
            (self.folder / "again.safetensors").read_bytes(),
            (self.folder / "mlp.safetensors").read_bytes(),
        )

    def test_to_standard_output(self):
        done = self.run_cli(f"{MODELS}:small", "--input", "n,5", "--weights", "none")
        graph = json.loads(done.stdout)
        self.assertEqual(graph["nodes"][0]["meta"], {"shape": ["n", 5], "dtype": "float32"})
        self.assertEqual(done.stderr, "")

    def test_inputs_and_settings(self):
        done = self.run_cli(
            f"{MODELS}:Setting", "--input", "x=2,3:int64", "--set", "twice=true", "--set", "mode=no"
        )
        graph = json.loads(done.stdout)
        self.assertEqual([node["name"] for node in graph["nodes"]], ["x", "add", "output"])
        self.assertEqual(graph["nodes"][0]["meta"]["dtype"], "int64")
        done = self.run_cli(f"{MODELS}:instance", "--input", "1,2", "--dtype", "float16")
        self.assertEqual(json.loads(done.stdout)["nodes"][0]["meta"]["dtype"], "float16")

    def test_a_module_by_its_import_name(self):
        (self.folder / "mine.py").write_text(
            "from torch import nn\nnet = nn.Sequential(nn.ReLU())\n"
        )
        done = self.run_cli("mine:net", "--input", "")
        self.assertEqual(json.loads(done.stdout)["nodes"][0]["meta"]["shape"], [])

    def test_control_flow(self):
        done = self.run_cli(f"{MODELS}:BranchOnData", "--input", "2,3", "-o", "x.json", status=1)
        line = Path(MODELS).read_text()[: Path(MODELS).read_text().index("# STOPS: BranchOnData")]
        self.assertIn(f"sample_models.py:{line.count(chr(10)) + 1}:", done.stderr)
        self.assertIn("truth value", done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertFalse((self.folder / "x.json").exists())

    def test_mistakes(self):
        (self.folder / "text.pt").write_text("no checkpoint")
        torch.save([1], self.folder / "list.pt")
        torch.save({"linear0.weight": torch.zeros(1)}, self.folder / "other.pt")
        for arguments, mention in (
            (["nothing.py:MLP"], "nothing.py"),
            ([f"{MODELS}:Absent"], "Absent"),
            ([f"{MODELS}:NeedsArgument"], "width"),
            ([f"{MODELS}:math"], "module"),
            ([MODELS], "file.py:Model"),
            (["absent_module:net"], "absent_module"),
            ([f"{MODELS}:MLP"], "'x'"),
            ([f"{MODELS}:MLP", "--input", "1,-784"], "-784"),
            ([f"{MODELS}:MLP", "--input", "1,784", "--dtype", "float31"], "float31"),
            (
                [f"{MODELS}:MLP", "--input", "1,784", "--state-dict", "FOLDER/absent.pt"],
                "absent.pt",
            ),
            ([f"{MODELS}:MLP", "--input", "1,784", "--state-dict", "FOLDER/text.pt"], "text.pt"),
            ([f"{MODELS}:MLP", "--input", "1,784", "--state-dict", "FOLDER/list.pt"], "list"),
            (
                [f"{MODELS}:MLP", "--input", "1,784", "--state-dict", "FOLDER/other.pt"],
                "linear1.bias",
            ),
            ([f"{MODELS}:MLP", "--input", "1,784", "--weights", "all"], "all"),
            ([f"{MODELS}:Setting", "--input", "1", "--set", "twice"], "NAME=VALUE"),
        ):
            with self.subTest(mention):  # in this process: importing torch takes a second
                stderr = io.StringIO()
                with contextlib.redirect_stderr(stderr):
                    status = main([text.replace("FOLDER", str(self.folder)) for text in arguments])
                self.assertEqual(status, 1)
                self.assertIn(mention, stderr.getvalue())


if __name__ == "__main__":
    unittest.main()
