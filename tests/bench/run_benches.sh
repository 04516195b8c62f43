#!/bin/bash
# Prints the figures that Sandglass is held to, each with its target. Builds what it measures (release).
#   tests/bench/run_benches.sh [BUILD_FOLDER]
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build/release}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

[ -f "$build/CMakeCache.txt" ] || cmake --preset release > "$scratch/build.log" 2>&1 || { cat "$scratch/build.log" >&2; exit 1; }
targets="sandglass bench-engine bench-sessions"
grep -q '^SG_BUILD_UI:BOOL=OFF' "$build/CMakeCache.txt" || targets="$targets sandglass-workbench"
# shellcheck disable=SC2086 # several targets
cmake --build "$build" --target $targets > "$scratch/build.log" 2>&1 || { tail -40 "$scratch/build.log" >&2; exit 1; }

row() { printf '%-46s %12s   %s\n' "$1" "$2" "$3"; }

echo "$(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg); medians"
row figure measured target
row "one fsync of this disk" "$(python3 -B tests/bench/figures.py fsync "$scratch")" "-"
row "superstep of C++ nodes, SQLite, sync" \
    "$("$build/bin/bench-engine" --workload W1 --saver sqlite --durability sync --n 1000 --db "$scratch/w1.sqlite" \
        | python3 -B tests/bench/figures.py superstep)" "<= 1 ms"
row "sandglass run counter" "$(python3 -B tests/bench/figures.py counter "$build/bin/sandglass" "$scratch")" "<= 20 ms"
"$build/bin/bench-sessions" | python3 -B tests/bench/figures.py sessions
if [ -x "$build/bin/sandglass-workbench" ]; then
    python3 -B tests/bench/window_figures.py "$build/bin/sandglass-workbench" "$scratch"
else
    row "window" "not built" "-"
fi
