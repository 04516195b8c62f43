#!/bin/bash
# Prints the figures that looking at the past is held to, each with its target: histories of 100,000 and 1,000,000
# checkpoints, states of 1 MB, values of 50 and 200 MB, a run that goes on, memory and processor. Builds what it
# measures (release); some minutes, 3 GB in the folder for temporary files.
#   tests/bench/past_figures.sh [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath -m "${1:-build/release}") # some figures are taken in other folders
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

[ -f "$build/CMakeCache.txt" ] || cmake --preset release > "$scratch/build.log" 2>&1 || { cat "$scratch/build.log" >&2; exit 1; }
cmake --build "$build" --target bench-history bench-window > "$scratch/build.log" 2>&1 || { tail -40 "$scratch/build.log" >&2; exit 1; }

echo "$(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg)"
export QT_QPA_PLATFORM=offscreen
{ "$build/bin/bench-history" && "$build/bin/bench-window"; } 2>"$scratch/errors" | tee "$scratch/figures" || { cat "$scratch/errors" >&2; exit 1; }
echo "$(grep -c 'met *$' "$scratch/figures" || true) met, $(grep -c 'MISSED *$' "$scratch/figures" || true) missed"
