#!/usr/bin/env bash
# pools.sh [JOBS [KILLS]]
# Does so many jobs (10000) of a role while workers and Redis are killed, frozen or emptied so often (1000), three times: each
# result must count once, each hopeless job be a dead letter, and nothing be left.
. "$(dirname "$0")/gate.sh"
install_packages "$packages_to_build" "$packages_to_test"
packaging/setup/build.sh release --target tests_core_workers
export SG_REQUIRE=redis SG_CHAOS_JOBS=${1:-10000} SG_CHAOS_KILLS=${2:-1000}
build/release/tests/tests_core_workers tst_pool_chaos
