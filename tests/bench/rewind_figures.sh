#!/bin/bash
# Prints the figures of going back beside their targets, and what a user would do instead. Builds what it measures.
#   tests/bench/rewind_figures.sh [BUILD_FOLDER [BACKEND [copies|files|stored|disk|instead]]]
# Where no Docker Engine answers and this is root, one of its own is started and ended, so that Docker's rows are measured.
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath -m "${1:-build/release}")
log=$(mktemp)
. packaging/setup/engine.sh
trap 'stop_engine; rm -f "$log"' EXIT

[ -f "$build/CMakeCache.txt" ] || cmake --preset release > "$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmake --build "$build" --target bench-rewind > "$log" 2>&1 || { tail -40 "$log" >&2; exit 1; }
[ "${2:-}" = bubblewrap ] || start_engine_if_none >&2
if docker version >/dev/null 2>&1; then
    packaging/runtime/build-image.sh > "$log" 2>&1 || tail -5 "$log" >&2
fi
echo "$(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg); medians"
"$build/bin/bench-rewind" "${@:2}"
