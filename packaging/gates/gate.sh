# What every gate begins with. Sourced by the others; they are called by packaging/test.sh, and can be called alone.
# A gate ends with 0 where it found nothing, 77 where this machine cannot do it, else with what failed.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. packaging/setup/packages.sh
. packaging/setup/install.sh

# What this machine cannot do stands in the gate's last line, too.
note() {
    echo "note: $1"
    [ -z "${SG_GATE_NOTES:-}" ] || echo "$1" >>"$SG_GATE_NOTES"
}

not_here() {
    note "$1"
    exit 77
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
