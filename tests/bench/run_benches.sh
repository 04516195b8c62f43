#!/bin/bash
# Prints the figures that Sandglass is held to, each with its target. Builds what it measures (release).
#   tests/bench/run_benches.sh [BUILD_FOLDER]
# Where no Docker Engine answers and this is root, one of its own is started and ended, so that Docker's rows are measured.
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath -m "${1:-build/release}") # some figures are taken in other folders
scratch=$(mktemp -d)
. packaging/setup/engine.sh
trap 'stop_engine; rm -rf "$scratch"' EXIT

[ -f "$build/CMakeCache.txt" ] || cmake --preset release > "$scratch/build.log" 2>&1 || { cat "$scratch/build.log" >&2; exit 1; }
targets="sandglass bench-engine bench-sessions"
grep -q '^SG_BUILD_UI:BOOL=OFF' "$build/CMakeCache.txt" || targets="$targets sandglass-workbench bench-canvas bench-history bench-panels bench-window"
# shellcheck disable=SC2086 # several targets
cmake --build "$build" --target $targets > "$scratch/build.log" 2>&1 || { tail -40 "$scratch/build.log" >&2; exit 1; }

start_engine_if_none >&2
if docker version >/dev/null 2>&1; then
    packaging/runtime/build-image.sh > "$scratch/image.log" 2>&1 || { tail -5 "$scratch/image.log" >&2; }
fi

row() { printf '%-58s %12s   %s\n' "$1" "$2" "$3"; }

echo "$(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg); medians"
row figure measured target
row "one fsync of this disk" "$(python3 -B tests/bench/figures.py fsync "$scratch")" "-"
row "superstep of C++ nodes, SQLite, sync" \
    "$("$build/bin/bench-engine" --workload W1 --saver sqlite --durability sync --n 1000 --db "$scratch/w1.sqlite" \
        | python3 -B tests/bench/figures.py superstep)" "<= 1 ms"
row "sandglass run counter" "$(python3 -B tests/bench/figures.py counter "$build/bin/sandglass" "$scratch")" "<= 20 ms"
"$build/bin/bench-sessions" | python3 -B tests/bench/figures.py sessions
# The same by LangGraph-Sandbox's own way: an HTTP REPL, and docker exec for files.
python3 -B tests/bench/langgraph_sandbox_path.py | python3 -B tests/bench/figures.py sessions
if [ -x "$build/bin/sandglass-workbench" ]; then
    python3 -B tests/bench/window_figures.py "$build/bin/sandglass-workbench" "$scratch"
    "$build/bin/bench-canvas"
    "$build/bin/bench-history"
    "$build/bin/bench-panels"
    "$build/bin/bench-window"
else
    row "window" "not built" "-"
fi
