# What every gate begins with. Sourced by the others; they are called by packaging/test.sh, and can be called alone.
# A gate ends with 0 where it found nothing, 77 where this machine cannot do it, else with what failed.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. packaging/setup/packages.sh
. packaging/setup/install.sh
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros

# What this machine cannot do stands in the gate's last line, too.
note() {
    echo "note: $1"
    [ -z "${SG_GATE_NOTES:-}" ] || echo "$1" >>"$SG_GATE_NOTES"
}

not_here() {
    note "$1"
    exit 77
}

# configure PRESET: where that was not done yet.
configure() {
    [ ! -f "build/$1/build.ninja" ] || return 0
    local launcher=()
    ! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    mkdir -p "build/$1"
    cmake --preset "$1" "${launcher[@]}" >"build/$1/configure.log" 2>&1 || { cat "build/$1/configure.log" >&2; exit 1; }
}

# The engine and both runtimes that tests with sandboxes need; the engine is ended with the gate.
with_sandboxes() {
    install_packages "$packages_to_build" "$packages_to_run" "$packages_to_test"
    ensure_account
    packaging/runtime/make-venv.sh
    . packaging/setup/engine.sh
    start_engine_if_none
    trap stop_engine EXIT
    ! docker version >/dev/null 2>&1 || packaging/runtime/build-image.sh
}
