#!/bin/bash
# Prints the figures of redaction, egress proxy and artifact server beside their targets. Builds what it measures. Needs wrk.
#   tests/bench/isolation_figures.sh [BUILD_FOLDER]
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath -m "${1:-build/release}")
log=$(mktemp)
trap 'rm -f "$log"' EXIT

[ -f "$build/CMakeCache.txt" ] || cmake --preset release > "$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmake --build "$build" --target bench-isolation > "$log" 2>&1 || { tail -40 "$log" >&2; exit 1; }
echo "$(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg); medians"
"$build/bin/bench-isolation" redaction
"$build/bin/bench-isolation" egress
command -v wrk > /dev/null || { echo "artifacts of 10 KB: not measured, wrk is not installed"; exit 0; }
coproc server { "$build/bin/bench-isolation" artifacts; }
read -r address <&"${server[0]}"
echo "artifacts of 10 KB (at least 15,000 requests a second, 99th percentile at most 10 ms):"
wrk -t1 -c16 -d5s --latency "$address" | grep -E '99%|Requests/sec|Non-2xx'
eval "exec ${server[1]}>&-"
