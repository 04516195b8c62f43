#!/bin/bash
# Builds (release) what the engine's figures need and prints them: tests/bench/engine_figures.sh [OPTION …]
# Options: see engine_figures.py.
set -eu
cd "$(dirname "$0")/../.."
[ -f build/release/CMakeCache.txt ] || cmake --preset release >/dev/null
cmake --build build/release --target sandglass bench-engine bench-raw-sqlite >/dev/null
exec python3 -B tests/bench/engine_figures.py "$@"
