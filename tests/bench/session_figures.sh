#!/bin/bash
# Prints the figures of sessions beside their targets, and the same by LangGraph-Sandbox's own way. Builds what it measures.
#   tests/bench/session_figures.sh [BUILD_FOLDER]
# Where no Docker Engine answers and this is root, one of its own is started and ended, so that Docker's rows are measured.
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath -m "${1:-build/release}")
log=$(mktemp)
. packaging/setup/engine.sh
trap 'stop_engine; rm -f "$log"' EXIT

[ -f "$build/CMakeCache.txt" ] || cmake --preset release > "$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmake --build "$build" --target bench-sessions > "$log" 2>&1 || { tail -40 "$log" >&2; exit 1; }
start_engine_if_none >&2
if docker version >/dev/null 2>&1; then
    packaging/runtime/build-image.sh > "$log" 2>&1 || tail -5 "$log" >&2
fi
echo "$(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg); medians"
"$build/bin/bench-sessions"
# The same by LangGraph-Sandbox's own way: an HTTP REPL, and docker exec for files.
python3 -B tests/bench/langgraph_sandbox_path.py
