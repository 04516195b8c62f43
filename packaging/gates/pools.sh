#!/usr/bin/env bash
# pools.sh [JOBS [KILLS]]
# Does so many jobs (10000) of a role under so many kills of workers (1000), again and again: alone, while Redis is killed (20 times),
# emptied (20 times), while connections are swallowed, and while the server's clock jumps. Each result must count once, each hopeless
# job be a dead letter, and nothing be left. SG_REDIS_SERVER names another server, such as valkey-server.
. "$(dirname "$0")/gate.sh"
install_packages "$packages_to_build" "$packages_to_test"
packaging/setup/build.sh release --target tests_core_workers
export SG_REQUIRE=redis SG_CHAOS_JOBS=${1:-10000} SG_CHAOS_KILLS=${2:-1000}
export QTEST_FUNCTION_TIMEOUT=3600000
build/release/tests/tests_core_workers tst_pool_chaos
