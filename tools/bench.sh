#!/usr/bin/env bash
# Times the compiler, then the kernels beside onnxruntime-web and TensorFlow.js. `./run bench` calls
# it after a build; its arguments go to bench/peers/run.mjs (`--record` writes docs/performance.md).
# The peers and what writes their models are installed here and nowhere else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=$PWD/build/bench
onnx=$PWD/build/deps/onnx
mkdir -p "$out"

say() { printf '\033[1m== %s\033[0m\n' "$*"; }

# is_newer FILE STAMP: must what FILE asks for be installed (again)?
is_newer() { [ ! -e "$2" ] || [ "$1" -nt "$2" ]; }

if is_newer bench/peers/package-lock.json bench/peers/node_modules/.stamp; then
  say "installing onnxruntime-web and TensorFlow.js, for this comparison only"
  (cd bench/peers && npm ci --loglevel=error --ignore-scripts)
  touch bench/peers/node_modules/.stamp
fi
if is_newer bench/peers/requirements.txt "$onnx/.stamp"; then
  say "installing the Python package onnx, for this comparison only"
  rm -rf "$onnx"
  python3 -m pip install --quiet --no-deps --root-user-action=ignore --disable-pip-version-check \
    --target "$onnx" --requirement bench/peers/requirements.txt
  touch "$onnx/.stamp"
fi

say "the compiler"
cmake --preset release >/dev/null # google-benchmark may have come after the first configuration
cmake --build --preset release --target compiler_bench | tail -n 1
build/release/bench/compiler_bench --benchmark_min_time=0.2 \
  --benchmark_out="$out/compiler.json" --benchmark_out_format=json

say "the kernels, in Chromium"
PYTHONPATH=$onnx python3 bench/peers/models.py "$out" mlp cnn
node bench/peers/run.mjs "$@"
