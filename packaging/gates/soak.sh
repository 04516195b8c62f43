#!/usr/bin/env bash
# soak.sh
# 1,000 sessions opened and closed on bubblewrap and on Docker, 200 programs killed in the middle of a cell, a hostile neighbour.
. "$(dirname "$0")/gate.sh"
with_sandboxes
packaging/setup/build.sh release --target tst_session_soak
export SG_REQUIRE=bubblewrap,runtime,docker
docker version >/dev/null 2>&1 || {
    SG_REQUIRE=bubblewrap,runtime
    note "no Docker Engine answers and none could be started: bubblewrap alone"
}
SG_FULL=1 ctest --preset release -V -R '^tst_session_soak$'
