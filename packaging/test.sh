#!/usr/bin/env bash
# test.sh [--full]
# Installs what is missing, prepares both sandbox runtimes, builds, and runs every test; --full adds the sanitizer builds,
# fuzzing and long counts. Where no Docker Engine answers and this is root, one of its own is started and ended.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
. packaging/setup/packages.sh
. packaging/setup/install.sh

full=''
case ${1:-} in
'') ;;
--full) full=1 ;;
-h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
*) echo "error: unknown option $1. See packaging/test.sh --help." >&2; exit 2 ;;
esac

step() { echo "== $1 (${SECONDS} s)"; }

step "packages"
install_packages "$packages_to_build" "$packages_to_run" "$packages_to_test"
ensure_account

step "build"
packaging/setup/build.sh release

step "sandbox runtimes"
packaging/runtime/make-venv.sh
. packaging/setup/engine.sh
start_engine_if_none
trap stop_engine EXIT
if docker version >/dev/null 2>&1; then
    packaging/runtime/build-image.sh
else
    echo "No Docker Engine answers and none could be started: tests that need one are skipped."
fi
. packaging/setup/langgraph.sh

step "tests"
. packaging/setup/require.sh
. packaging/setup/run_tests.sh
export SG_FULL=$full
export SG_FUZZ_SECONDS=${SG_FUZZ_SECONDS:-20}
export SG_CONFORMANCE_COUNT=${SG_CONFORMANCE_COUNT:-${full:+1000}}
export SG_CONFORMANCE_SEED=${SG_CONFORMANCE_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
export SANDGLASS_EDIT_COUNT=${SANDGLASS_EDIT_COUNT:-${full:+10000}}
export SANDGLASS_EDIT_SEED=${SANDGLASS_EDIT_SEED:-$((SG_CONFORMANCE_SEED % 1000000))}
echo "Random cases for LangGraph and the engine: SG_CONFORMANCE_SEED=$SG_CONFORMANCE_SEED (set it to repeat them)."
if [ -n "$full" ]; then
    for preset in asan tsan; do
        step "$preset"
        packaging/setup/build.sh "$preset"
        SG_FULL='' ctest --preset "$preset" -j 2 -LE 'docker|bubblewrap|sandbox|window'
    done
    step "fuzz targets"
    packaging/fuzz.sh 20
    step "release"
fi
# The last lines are ctest's own summary.
run_tests release
