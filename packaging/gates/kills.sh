#!/usr/bin/env bash
# kills.sh [COUNT]
# Kills the workbench, a sandbox or a part of it COUNT times (500) in one go, on bubblewrap and on Docker, at random moments;
# SANDGLASS_KILLS_SEED repeats them.
. "$(dirname "$0")/gate.sh"
with_sandboxes
packaging/setup/build.sh release --target tests_integration_rewind
export SG_REQUIRE=bubblewrap,runtime,docker
docker version >/dev/null 2>&1 || {
    SG_REQUIRE=bubblewrap,runtime
    note "no Docker Engine answers and none could be started: bubblewrap alone"
}
export SANDGLASS_KILLS=${1:-500}
export SANDGLASS_KILLS_SEED=${SANDGLASS_KILLS_SEED:-$(($(od -An -N3 -tu4 /dev/urandom) + 1))}
echo "$SANDGLASS_KILLS kills on each backend: SANDGLASS_KILLS_SEED=$SANDGLASS_KILLS_SEED repeats them."
ctest --preset release -V -R '^tst_rewind_kills(_docker)?$'
