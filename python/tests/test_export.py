"""What export writes: nodes, modules, tensors, weights."""

import json
import math
import tempfile
import unittest
from pathlib import Path

import torch
from torch import fx, nn

import fx2wasm

from . import sample_models as models
from .rebuild import rebuild

CASES = Path(__file__).resolve().parents[2] / "conformance" / "cases"


def conformance(case):
    return json.loads((CASES / case / "graph.fx.json").read_text())


def without_data(graph):
    for tensor in graph["tensors"].values():
        tensor.pop("data", None)
    return graph


def read(graph):
    """What a reader of the text gets."""
    return json.loads(str(graph))


class SameAsConformanceTest(unittest.TestCase):
    """Models written here, against graphs that were made elsewhere."""

    def check(self, case, model, inputs):
        want = without_data(conformance(case))
        want.pop("weights", None)
        got = fx2wasm.export(model, inputs, weights="none", name=want["name"])
        self.assertEqual(read(got), want)

    def test_mlp(self):
        self.check("lecture/fx_mlp", models.MLP(), [(1, 784)])

    def test_product_with_get_attr(self):
        self.check("lecture/fx_product", models.Product(), [(1, 128)])

    def test_lenet(self):
        self.check("composed/lenet", models.LeNet(), [torch.zeros(1, 1, 28, 28)])

    def test_tied_modules(self):
        self.check("composed/tied", models.Tied(), [((5,), torch.int64)])

    def test_symbolic_sizes(self):
        class Matmul(nn.Module):
            def forward(self, x, y):
                return torch.matmul(x, y)

        self.check("symbolic/matmul_nm", Matmul(), {"y": ("k", "m"), "x": ("n", "k")})

    def test_text_is_line_by_line_the_same(self):
        text = (CASES / "lecture/fx_mlp/graph.fx.json").read_text()
        got = fx2wasm.export(models.MLP(), [(1, 784)], weights="none", name="fx_mlp")
        self.assertEqual(str(got), text)


class InputsTest(unittest.TestCase):
    def meta(self, inputs):
        graph = fx2wasm.export(nn.Sequential(nn.ReLU()), inputs)
        return [node["meta"] for node in graph["nodes"] if "meta" in node]

    def test_forms(self):
        want = [{"shape": [2, 3], "dtype": "float32"}]
        for inputs in (
            [torch.zeros(2, 3)],
            torch.zeros(2, 3),
            [(2, 3)],
            (2, 3),
            [((2, 3), "float32")],
            [([2, 3], torch.float32)],
            ["2,3"],
            "2,3",
            {"input": (2, 3)},
        ):
            with self.subTest(inputs=inputs):
                self.assertEqual(self.meta(inputs), want)
        self.assertEqual(self.meta([("n", 3)]), [{"shape": ["n", 3], "dtype": "float32"}])
        self.assertEqual(self.meta(["n,3:int64"]), [{"shape": ["n", 3], "dtype": "int64"}])
        self.assertEqual(self.meta([()]), [{"shape": [], "dtype": "float32"}])

    def test_refusals(self):
        for inputs, mention in (
            ([], "input"),
            ([(1,), (2,)], "2 inputs"),
            ({"y": (1,)}, "'y'"),
            ([(-1, 3)], "-1"),
            ([("n-1", 3)], "n-1"),
            ([(1.5, 3)], "1.5"),
            ([((1,), "float31")], "float31"),
            ([3.0], "3.0"),
            ([torch.zeros(1, dtype=torch.complex64)], "complex64"),
        ):
            with self.subTest(inputs=inputs), self.assertRaises(fx2wasm.ExportError) as caught:
                self.meta(inputs)
            self.assertIn(mention, str(caught.exception))

    def test_defaults_stand_for_themselves(self):
        graph = fx2wasm.export(models.Defaults(), [(2,)])
        placeholders = [node for node in graph["nodes"] if node["op"] == "placeholder"]
        self.assertEqual([node.get("args") for node in placeholders], [None, [2.0], [None]])
        self.assertEqual(["meta" in node for node in placeholders], [True, False, False])


class NodesTest(unittest.TestCase):
    def test_arguments(self):
        graph = read(fx2wasm.export(models.Arguments(), [(4, 5), (4, 5)]))
        nodes = {node["name"]: node for node in graph["nodes"]}
        self.assertEqual(
            nodes["getitem"]["args"],
            [{"node": "x"}, [{"ellipsis": True}, {"slice": [1, 3, None]}, None]],
        )
        self.assertEqual(
            nodes["clamp"]["kwargs"], {"min": {"float": "-inf"}, "max": {"float": "inf"}}
        )
        self.assertEqual(nodes["to"]["args"], [{"node": "clamp"}, {"dtype": "float64"}])
        self.assertEqual(
            nodes["zeros_like"]["kwargs"],
            {"dtype": {"dtype": "float32"}, "device": {"device": "cpu"}},
        )
        self.assertEqual(
            nodes["contiguous"]["kwargs"], {"memory_format": {"memory_format": "contiguous_format"}}
        )
        self.assertEqual(nodes["pad"]["kwargs"]["value"], {"float": "nan"})
        self.assertEqual(
            nodes["getitem_1"]["args"], [{"node": "x"}, {"slice": [None, {"node": "size"}, None]}]
        )
        (output,) = nodes["output"]["args"]
        rest = output["dict"]["rest"]
        self.assertEqual(rest[:2], [{"node": "to"}, [{"node": "pad"}, {"node": "getitem_1"}]])
        self.assertEqual(rest[2:], [None, True, 1, 1.0, 2**62])
        self.assertEqual([type(value) for value in rest[4:6]], [int, float])

    def test_a_list_as_a_key_is_one_position(self):
        class Rows(nn.Module):
            def forward(self, x):
                return x[[0, 2]], x[0, 2]

        nodes = {node["name"]: node for node in read(fx2wasm.export(Rows(), [(3, 4)]))["nodes"]}
        self.assertEqual(nodes["getitem"]["args"], [{"node": "x"}, [[0, 2]]])
        self.assertEqual(nodes["getitem_1"]["args"], [{"node": "x"}, [0, 2]])

    def test_settings_that_constructors_do_not_take(self):
        for module, inputs, settings in (
            (nn.PairwiseDistance(3.0), [(2, 3)] * 2, {"norm": 3.0}),
            (nn.UpsamplingBilinear2d(4), [(1, 2, 3, 3)], {"align_corners": True}),
        ):
            class Holder(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.it = module

            class One(Holder):
                def forward(self, x):
                    return self.it(x)

            class Two(Holder):
                def forward(self, x, y):
                    return self.it(x, y)

            graph = fx2wasm.export((One if len(inputs) == 1 else Two)(), inputs)
            with self.subTest(module=module):
                self.assertLessEqual(settings.items(), graph["modules"]["it"]["attrs"].items())

    def test_function_names(self):
        graph = fx2wasm.export(models.Functions(), [(4,)])
        calls = [node["target"] for node in graph["nodes"] if node["op"] == "call_function"]
        self.assertEqual(
            calls,
            [
                "torch.add",
                "torch.nn.functional.relu",
                "math.sqrt",
                "operator.mul",
                "torch.nn.functional.gelu",
                "torch.ops.aten.relu.default",
                "torch.ops.aten.relu",
                "operator.sub",
            ],
        )

    def test_what_the_format_cannot_say(self):
        for value, mention in ((2**63, "64 bits"), ({1: 2}, "strings"), (1j, "complex")):
            graph = fx.Graph()
            graph.output(value)
            with self.subTest(value=value), self.assertRaises(fx2wasm.ExportError) as caught:
                fx2wasm.export(fx.GraphModule(nn.Module(), graph), [])
            self.assertIn(mention, str(caught.exception))
            self.assertIn("output", str(caught.exception))

    def test_any_number_of_arguments(self):
        with self.assertRaises(fx2wasm.ExportError) as caught:
            fx2wasm.export(models.Spread(), [(1,)])
        self.assertIn("*xs", str(caught.exception))
        self.assertNotIsInstance(caught.exception, fx2wasm.TraceError)


class ModulesTest(unittest.TestCase):
    def test_settings(self):
        for layer, settings in (
            (nn.ReLU6(), {"inplace": False, "min_val": 0.0, "max_val": 6.0}),
            (nn.LogSoftmax(dim=1), {"dim": 1}),
            (nn.Flatten(), {"start_dim": 1, "end_dim": -1}),
            (
                nn.MaxPool2d(2, padding=(1, 0)),
                {"kernel_size": 2, "stride": 2, "padding": [1, 0], "dilation": 1}
                | {"return_indices": False, "ceil_mode": False},
            ),
        ):
            with self.subTest(layer=layer):
                graph = read(fx2wasm.export(nn.Sequential(layer), [(1, 1, 8, 8)]))
                self.assertEqual(graph["modules"]["0"]["attrs"], settings)

    def test_recurrent_layers(self):
        common = {"input_size": 3, "hidden_size": 4, "num_layers": 2, "bias": True} | {
            "batch_first": True,
            "dropout": 0.0,
            "bidirectional": True,
            "proj_size": 0,
        }
        for kind, settings in (
            (nn.LSTM, {"mode": "LSTM"}),
            (nn.GRU, {"mode": "GRU"}),
            (nn.RNN, {"mode": "RNN_TANH", "nonlinearity": "tanh"}),
        ):
            layer = kind(3, 4, num_layers=2, batch_first=True, bidirectional=True)
            with self.subTest(kind=kind):
                graph = read(fx2wasm.export(nn.Sequential(layer), [("n", 5, 3)]))
                module = graph["modules"]["0"]
                self.assertEqual(module["type"], f"torch.nn.{kind.__name__}")
                self.assertEqual(module["attrs"], common | settings)
                self.assertEqual(len(module["tensors"]), 16)
                self.assertEqual(module["tensors"]["bias_hh_l1_reverse"], "0.bias_hh_l1_reverse")
        cell = nn.RNNCell(3, 4, nonlinearity="relu")
        graph = read(fx2wasm.export(nn.Sequential(cell), [(2, 3)]))
        self.assertEqual(
            graph["modules"]["0"]["attrs"],
            {"input_size": 3, "hidden_size": 4, "bias": True, "nonlinearity": "relu"},
        )

    def test_what_is_none_is_left_out(self):
        graph = fx2wasm.export(nn.Sequential(nn.Linear(2, 3, bias=False)), [(1, 2)])
        self.assertEqual(graph["modules"]["0"]["tensors"], {"weight": "0.weight"})

    def test_hooks_and_parametrizations_are_refused(self):
        hooked = nn.Linear(2, 2)
        hooked.register_forward_hook(lambda module, inputs, output: output * 2)
        parametrized = nn.utils.parametrizations.orthogonal(nn.Linear(2, 2))
        for layer in (hooked, nn.utils.weight_norm(nn.Linear(2, 2)), parametrized):
            with self.assertRaises(fx2wasm.ExportError) as caught:
                fx2wasm.export(nn.Sequential(layer), [(1, 2)])
            self.assertIn("module 0", str(caught.exception))

    def test_the_models_mode_is_eval_for_the_trace_and_kept(self):
        model = models.Dropping()
        model.layer.eval()
        graph = fx2wasm.export(model, [(1, 3)])
        self.assertIs(graph["nodes"][2]["kwargs"]["training"], False)
        self.assertEqual((model.training, model.layer.training), (True, False))


class TensorsTest(unittest.TestCase):
    def test_kinds(self):
        graph = fx2wasm.export(models.Kinds(), [(3,)])
        kinds = {name: entry.get("kind") for name, entry in graph["tensors"].items()}
        self.assertEqual(kinds, {"parameter": None, "buffer": "buffer", "constant": "constant"})

    def test_a_leafs_tensor_that_forward_reads_too_stands_once(self):
        graph = fx2wasm.export(models.TiedAttribute(), [(1, 4)])
        self.assertEqual(list(graph["tensors"]), ["again", "linear.bias"])
        self.assertEqual(
            graph["modules"]["linear"]["tensors"], {"weight": "again", "bias": "linear.bias"}
        )

    def test_get_attr_of_a_tensor_under_another_name(self):
        root = nn.Module()
        root.first = nn.Parameter(torch.ones(2))
        root.second = root.first
        graph = fx.Graph()
        graph.output((graph.get_attr("first"), graph.get_attr("second")))
        exported = fx2wasm.export(fx.GraphModule(root, graph), [])
        self.assertEqual(list(exported["tensors"]), ["first"])
        nodes = exported["nodes"]
        self.assertEqual([node.get("tensor") for node in nodes], [None, "first", None])
        self.assertTrue(torch.equal(rebuild(exported)()[1], torch.ones(2)))

    def test_without_weights(self):
        graph = fx2wasm.export(models.MLP(), [(1, 784)], weights="none")
        self.assertNotIn("weights", graph)
        self.assertFalse(any("data" in entry for entry in graph["tensors"].values()))

    def test_weights_are_named_as_the_json_sees_them(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, want in (("w.safetensors", "w.safetensors"), ("sub/w.safetensors",) * 2):
                file = Path(folder, name)
                file.parent.mkdir(exist_ok=True)
                graph = fx2wasm.export(models.MLP(), [(1, 784)], f"{folder}/m.fx.json", file)
                self.assertEqual(graph["weights"], want)
                self.assertEqual(json.loads(Path(folder, "m.fx.json").read_text()), graph)
                self.assertEqual(set(fx2wasm.read_safetensors(file)), set(graph["tensors"]))

    def test_other_weights_are_refused(self):
        with self.assertRaises(fx2wasm.ExportError) as caught:
            fx2wasm.export(models.MLP(), [(1, 784)], weights="w.pt")
        self.assertIn("w.pt", str(caught.exception))

    def test_no_file_appears_when_the_export_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "w.safetensors")
            with self.assertRaises(fx2wasm.TraceError):
                fx2wasm.export(models.BranchOnData(), [(1,)], f"{folder}/m.fx.json", file)
            self.assertEqual(list(Path(folder).iterdir()), [])


class SameNumbersTest(unittest.TestCase):
    """Read back from the text, the model computes what it computed."""

    def check(self, model, *inputs):
        model.eval()
        again = rebuild(read(fx2wasm.export(model, list(inputs))))
        with torch.no_grad():
            self.assertTrue(torch.equal(again(*inputs), model(*inputs)))

    def test_models(self):
        torch.manual_seed(0)
        self.check(models.MLP(), torch.randn(1, 784))
        self.check(models.LeNet(), torch.randn(1, 1, 28, 28))
        self.check(models.Tied(), torch.arange(5))
        self.check(models.TiedAttribute(), torch.randn(2, 4))
        self.check(models.Kinds(), torch.randn(3))
        self.check(models.Mixed(), torch.randn(3))
        self.check(models.Functions(), torch.randn(3))

    def test_from_a_graph_module(self):
        model = models.Product()
        traced = fx.symbolic_trace(model)
        want = fx2wasm.export(model, [(1, 128)])
        self.assertEqual(fx2wasm.export(traced, [(1, 128)]), want)


class SafetensorsTest(unittest.TestCase):
    def test_every_dtype_and_alignment(self):
        tensors = {
            "half": torch.tensor([1.5, -2.0, math.inf], dtype=torch.float16),
            "brain": torch.tensor([[1.5]], dtype=torch.bfloat16),
            "bytes": torch.tensor([1, 2, 3], dtype=torch.uint8),
            "empty": torch.zeros(0, 4),
            "flags": torch.tensor([True, False]),
            "long": torch.tensor(-(2**62)),
            "turned": torch.arange(6.0).reshape(2, 3).t(),
        }
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "t.safetensors")
            fx2wasm.write_safetensors(file, tensors)
            again = fx2wasm.read_safetensors(file)
            content = file.read_bytes()
        self.assertEqual(set(again), set(tensors))
        for name, tensor in tensors.items():
            self.assertEqual((again[name].dtype, again[name].shape), (tensor.dtype, tensor.shape))
            self.assertTrue(torch.equal(again[name], tensor), name)
        length = int.from_bytes(content[:8], "little")
        self.assertEqual(length % 8, 0)
        for name, entry in json.loads(content[8 : 8 + length]).items():
            begin = entry["data_offsets"][0]
            self.assertEqual(begin % tensors[name].element_size(), 0, name)

    def test_a_file_made_elsewhere(self):
        tensors = fx2wasm.read_safetensors(CASES / "composed/mlp/weights.safetensors")
        self.assertEqual(tensors["linear0.weight"].shape, (128, 784))

    def test_not_a_safetensors_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "t.safetensors")
            for content in (b"", b"{}", b"\xff" * 64, b"\2\0\0\0\0\0\0\0[]"):
                file.write_bytes(content)
                with self.subTest(content=content), self.assertRaises(fx2wasm.ExportError):
                    fx2wasm.read_safetensors(file)


if __name__ == "__main__":
    unittest.main()
