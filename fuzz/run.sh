#!/usr/bin/env bash
# Runs the libFuzzer targets of build/fuzz; `./run fuzz` calls it after the build.
#   fuzz/run.sh              a fixed number of inputs each, the same every time (about 20 s)
#   fuzz/run.sh SECONDS      each target as long, with other inputs every time
#   fuzz/run.sh … TARGET…    these targets only
# What crashes lands in build/fuzz/findings/TARGET; its fix comes with a copy of the (minimised)
# input in fuzz/regressions/TARGET, which every run begins with.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$PWD/build/fuzz

# Seeds: what the repository holds anyway, without what is too long for mutations to reach far.
seed_files() { # target max-bytes
  local size=(-type f -size "-$(($2 + 1))c")
  case $1 in
    fx_json) find conformance/cases examples "${size[@]}" -name '*.fx.json' ;;
    tvmscript) find conformance/cases "${size[@]}" -name 'expected.*.py' ;;
    small_python) find conformance/{te,lecture}_programs "${size[@]}" -name '*.py' ;;
    safetensors) find conformance/cases examples "${size[@]}" -name '*.safetensors' ;;
  esac
}

# libFuzzer reads a folder: links named after the paths. A fixed run takes one seed in `every`.
collect_seeds() { # target max-bytes every
  local seeds=$work/seeds/$1 file every=$3
  [ "$seconds" = runs ] || every=1
  rm -rf "$seeds"
  mkdir -p "$seeds"
  seed_files "$1" "$2" | LC_ALL=C sort | awk -v every="$every" 'NR % every == 0' |
    while read -r file; do ln -s "$PWD/$file" "$seeds/${file//\//+}"; done
  [ -n "$(ls -A "$seeds")" ] || { echo "no seeds for $1" >&2 && exit 1; }
}

fuzz() { # target runs max-bytes every
  local name=$1 how=(-runs="$2" -seed=1)
  [ "$seconds" = runs ] || how=(-max_total_time="$seconds")
  local corpus=$work/corpus/$name findings=$work/findings/$name log=$work/$name.log
  # What earlier runs found interesting stays for the long ones; a fixed run begins from nothing.
  [ "$seconds" != runs ] || corpus=$work/corpus-fixed/$name
  [ "$seconds" != runs ] || rm -rf "$corpus"
  mkdir -p "$corpus" "$findings" "fuzz/regressions/$name"
  collect_seeds "$name" "$3" "$4"
  if ! "$work/fuzz/fuzz_$name" "${how[@]}" -max_len="$3" -timeout=10 -rss_limit_mb=2048 \
    -dict="fuzz/dictionaries/$name.dict" -artifact_prefix="$findings/" -print_final_stats=1 \
    "$corpus" "fuzz/regressions/$name" "$work/seeds/$name" >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    echo "fuzz_$name found something: $log, inputs in $findings" >&2
    return 1
  fi
  echo "fuzz_$name: $(sed -n 's/^Done \([0-9]* runs in [0-9]*\).*/\1 s/p' "$log")"
}

seconds=runs
if [[ ${1:-} =~ ^([0-9]+|runs)$ ]]; then
  seconds=$1
  shift
fi
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(safetensors small_python tvmscript fx_json)
status=0
for target in "${targets[@]}"; do
  case $target in
    fx_json) fuzz fx_json 5000 4096 8 || status=1 ;;
    tvmscript) fuzz tvmscript 10000 4096 8 || status=1 ;;
    small_python) fuzz small_python 3000 2048 1 || status=1 ;;
    safetensors) fuzz safetensors 400000 2048 1 || status=1 ;;
    *) echo "no target $target" >&2 && exit 2 ;;
  esac
done
exit $status
