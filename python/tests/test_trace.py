"""Models that FX cannot record: the error says where, why and what to do."""

import unittest
from pathlib import Path

import torch
from torch import fx, nn

import fx2wasm

from . import sample_models as models

SOURCE = Path(models.__file__).read_text().splitlines()


def marked_line(name):
    (line,) = [number for number, text in enumerate(SOURCE, 1) if text.endswith(f"# STOPS: {name}")]
    return line


class TraceErrorTest(unittest.TestCase):
    def stop(self, name, *mentions, inputs=((2, 3),)):
        with self.assertRaises(fx2wasm.TraceError) as caught:
            fx2wasm.export(getattr(models, name)(), list(inputs))
        error = caught.exception
        line = marked_line(name)
        self.assertEqual((error.file, error.line), (models.__file__, line))
        self.assertEqual(error.code, SOURCE[line - 1].strip())
        for text in (f"{models.__file__}:{line}:", name, error.code, "what to do:", *mentions):
            self.assertIn(text, str(error))
        return error

    def test_branch_on_data(self):
        self.stop("BranchOnData", "control flow", "truth value", "depend on the data",
                  "torch.where", "__init__", "`gt`")  # fmt: skip

    def test_branch_on_a_size(self):
        error = self.stop("BranchOnSize", "control flow", "size", "__init__")
        self.assertNotIn("torch.where", str(error))

    def test_assertion_about_a_size(self):
        self.stop("Asserts", "`assert`", "remove it")

    def test_branch_in_a_module_inside(self):
        self.stop("BranchInside", "`while`", "truth value")

    def test_loop_over_rows(self):
        self.stop("LoopOverRows", "`for`", "How often", "range(self.steps)")

    def test_length(self):
        self.stop("Length", "x.size(0)")

    def test_number_from_a_size(self):
        self.stop("Counted", "__init__", "known")

    def test_numpy(self):
        self.stop("Numpy", "numpy")

    def test_the_models_own_error(self):
        error = self.stop("Broken", "AttributeError", "missing")
        self.assertIsInstance(error.__cause__, AttributeError)

    def test_a_setting(self):
        self.stop("Setting", 'concrete_args={"mode": ...}')


class ConcreteArgsTest(unittest.TestCase):
    def names(self, **settings):
        graph = fx2wasm.export(models.Setting(), [(2,)], concrete_args=settings)
        return [node["name"] for node in graph["nodes"]]

    def test_settings_are_fixed_and_leave_no_trace(self):
        self.assertEqual(self.names(mode="relu", twice=False), ["x", "relu", "output"])
        self.assertEqual(self.names(mode="none", twice=True), ["x", "add", "output"])
        graph = fx2wasm.export(models.Defaults(), [(2,)], concrete_args={"shift": None})
        self.assertEqual([node["name"] for node in graph["nodes"]], ["x", "scale", "mul", "output"])

    def test_refusals(self):
        for settings, mention in (({"mood": 1}, "mood"), ({"mode": torch.zeros(1)}, "Tensor")):
            with self.subTest(mention), self.assertRaises(fx2wasm.ExportError) as caught:
                self.names(**settings)
            self.assertIn(mention, str(caught.exception))


class TraceTest(unittest.TestCase):
    def test_same_as_symbolic_trace(self):
        for model in (models.MLP(), models.LeNet(), models.Kinds(), models.Arguments()):
            ours, theirs = fx2wasm.trace(model), fx.symbolic_trace(model)
            self.assertEqual(str(ours.graph), str(theirs.graph))
            self.assertEqual(type(ours).__name__, type(model).__name__)

    def test_a_graph_module_stays_itself(self):
        traced = fx.symbolic_trace(models.MLP())
        self.assertIs(fx2wasm.trace(traced), traced)
        with self.assertRaises(fx2wasm.ExportError):
            fx2wasm.trace(traced, {"x": 1})

    def test_what_is_no_module(self):
        for value in (len, torch.jit.script(nn.Linear(2, 2))):
            with self.assertRaises(fx2wasm.ExportError):
                fx2wasm.trace(value)


if __name__ == "__main__":
    unittest.main()
