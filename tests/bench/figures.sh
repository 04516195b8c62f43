#!/usr/bin/env bash
# figures.sh [OPTION…] [GROUP…]
# Builds the benches (release) and prints every figure of the repository beside its goal; --help tells the options. Where no
# Docker Engine answers and this is root, one of its own is started and ended. Run it on a machine that does nothing else.
set -euo pipefail
cd "$(dirname "$0")/../.."
groups=()
takes_value=''
build=1
for argument in "$@"; do
    if [ -n "$takes_value" ]; then
        takes_value=''
        continue
    fi
    case $argument in
    -h | --help | --list) exec python3 -B tests/bench/figures.py "$@" ;;
    --no-build) build='' ;;
    --rounds | --json | --build) takes_value=1 ;;
    -*) ;;
    *) groups+=("$argument") ;;
    esac
done
# wants NAME…: whether figures of one of these groups are asked for
wants() {
    [ ${#groups[@]} -gt 0 ] || return 0
    local group name
    for name in "$@"; do
        for group in "${groups[@]}"; do
            [[ $group. != "$name".* && $name. != "$group".* ]] || return 0
        done
    done
    return 1
}
# What is measured by reading a file needs no build.
if [ -n "$build" ] && { [ ${#groups[@]} -eq 0 ] || [[ "${groups[*]/build/}" =~ [a-z] ]]; }; then
    packaging/setup/build.sh release --target programs
    packaging/setup/build.sh release --target benches
fi
if wants sessions.docker sessions.langgraph_sandbox rewind.docker; then
    . packaging/setup/engine.sh
    trap stop_engine EXIT
    start_engine_if_none >&2
    ! docker version >/dev/null 2>&1 || packaging/runtime/build-image.sh >&2
fi
if wants engine disk; then
    . packaging/setup/langgraph.sh
fi
python3 -B tests/bench/figures.py "$@"
