#!/usr/bin/env bash
# build.sh PRESET [CMAKE OPTION…]: configures where needed and builds what changed.
set -euo pipefail
cd "$(dirname "$0")/../.."
preset=$1
shift
log=build/$preset/build.log
mkdir -p "build/$preset"
# Paths beneath the checkout count as relative: another clone of the same sources finds what this one compiled.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
# What is precompiled is told apart by its own content.
export CCACHE_SLOPPINESS=pch_defines,time_macros
what=all
[ "$preset" != fuzz ] || what=fuzzers
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
if [ ! -f "build/$preset/build.ninja" ] || [ "$*" != "$(cat "build/$preset/options" 2>/dev/null)" ]; then
    echo "Configuring build/$preset …"
    cmake --preset "$preset" "${launcher[@]}" "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
    printf '%s' "$*" >"build/$preset/options"
fi
started=$SECONDS
ninja -C "build/$preset" "$what" >"$log" 2>&1 &
build=$!
trap 'kill "$build" 2>/dev/null || true' EXIT
# Where there is nothing to do, nothing is said.
for _ in $(seq 15); do
    sleep 0.1
    kill -0 "$build" 2>/dev/null || break
done
if kill -0 "$build" 2>/dev/null; then echo "Building build/$preset …"; fi
wait "$build" || { grep -vE '^\[[0-9]+/[0-9]+\]' "$log" | head -n 100 >&2; exit 1; }
grep -q 'no work to do' "$log" || echo "Built in $((SECONDS - started)) s."
