# The common beginning of every gate. Sourced by the gates; packaging/test.sh calls them, and each can be called alone.
# A gate ends with 0 where it found nothing, 77 where this machine cannot run it, else with the code of its failure.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. packaging/setup/packages.sh
. packaging/setup/install.sh

# A note tells what this machine cannot do; it is repeated in the gate's last line.
note() {
    echo "note: $1"
    [ -z "${SG_GATE_NOTES:-}" ] || echo "$1" >>"$SG_GATE_NOTES"
}

not_here() {
    note "$1"
    exit 77
}

# Prepares the engine and both runtimes for tests with sandboxes; the engine is stopped when the gate ends.
with_sandboxes() {
    install_packages "$packages_to_build" "$packages_to_run" "$packages_to_test"
    ensure_account
    packaging/runtime/make-venv.sh
    . packaging/setup/engine.sh
    start_engine_if_none
    trap stop_engine EXIT
    ! docker version >/dev/null 2>&1 || packaging/runtime/build-image.sh
}
