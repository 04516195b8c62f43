#!/usr/bin/env bash
# build.sh PRESET [--target NAME] [CMAKE OPTION…]
# Configures if necessary and builds what changed: the target programs, tests, benches or any other; without --target, all but
# the benches. Shows the steps done, the number of steps and the time: on one line of a terminal, else every 30 s.
set -euo pipefail
cd "$(dirname "$0")/../.."
preset=$1
shift
what=all
[ "$preset" != fuzz ] || what=fuzzers
if [ "${1:-}" = --target ]; then
    what=$2
    shift 2
fi
log=build/$preset/build.log
mkdir -p "build/$preset"
# Paths beneath the checkout count as relative, so that another clone of the same sources can use the cache.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
# Precompiled headers are compared by content.
export CCACHE_SLOPPINESS=pch_defines,time_macros
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
if [ ! -f "build/$preset/build.ninja" ] || [ "$*" != "$(cat "build/$preset/options" 2>/dev/null)" ]; then
    echo "Configuring build/$preset …"
    cmake --preset "$preset" "${launcher[@]}" "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
    printf '%s' "$*" >"build/$preset/options"
fi

started=$SECONDS
NINJA_STATUS='[%f/%t] ' ninja -C "build/$preset" "$what" >"$log" 2>&1 &
build=$!
trap 'kill "$build" 2>/dev/null || true' EXIT

# "Building build/release: 120 of 260 steps, 1 min 4 s"
progress() {
    local verb=$1 steps gone=$((SECONDS - started))
    steps=$(grep -oE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 1 | tr -d '[]') || true
    printf '%s build/%s: %s of %s steps, %d min %d s' \
        "$verb" "$preset" "${steps%/*}" "${steps#*/}" $((gone / 60)) $((gone % 60))
}

# Prints nothing where there is nothing to build.
for _ in $(seq 15); do
    kill -0 "$build" 2>/dev/null || break
    sleep 0.1
done
told=0
while kill -0 "$build" 2>/dev/null; do
    if [ -t 1 ]; then
        printf '\r\033[K%s' "$(progress Building)"
    elif [ $((SECONDS - started)) -ge "$told" ]; then
        told=$((SECONDS - started + 30))
        progress Building && echo
    fi
    sleep 0.5
done
[ ! -t 1 ] || printf '\r\033[K'
wait "$build" || { grep -vE '^\[[0-9]+/[0-9]+\]' "$log" | head -n 100 >&2; exit 1; }
grep -q 'no work to do' "$log" || { progress Built && echo; }
