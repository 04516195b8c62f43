#!/usr/bin/env bash
# test.sh [--full] [GATE…]
# Installs what is missing, prepares both sandbox runtimes, builds, and runs every test, the linters on what was changed, and one
# heavy part in turn. Where no Docker Engine answers and this is root, one of its own is started and ended.
# Gates, each of them alone and whole, without the plain run:
#   --asan, --tsan  every core test under sanitizers        --soak        1,000 sessions on each backend
#   --fuzz SECONDS  every fuzz target for so long           --kills       500 kills on each backend
#   --lint          clang-format, clang-tidy, shellcheck    --podman      the sandbox suite by Podman, as root and rootless
#   --no-ui         a build without the window              --install     an installation that was moved
#   --pools         10,000 tasks of a role under 1,000 kills --clean-root  both commands in a fresh Debian
#   --benches       builds every bench
# --full: the plain run with long counts, and all gates (fuzzing for 1,200 seconds a target unless --fuzz says otherwise).
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"

full=''
gates=()
fuzz_seconds=''
while [ $# -gt 0 ]; do
    case $1 in
    --full) full=1 ;;
    --fuzz)
        [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || { echo "error: --fuzz needs a number of seconds. See packaging/test.sh --help." >&2; exit 2; }
        fuzz_seconds=$2
        gates+=(fuzz)
        shift
        ;;
    --asan | --tsan | --lint | --soak | --kills | --podman | --pools | --clean-root | --no-ui | --install | --benches) gates+=("${1#--}") ;;
    -h | --help) sed -n '2,12s/^# //p' "$0"; exit 0 ;;
    *) echo "error: unknown option $1. See packaging/test.sh --help." >&2; exit 2 ;;
    esac
    shift
done
plain=''
[ ${#gates[@]} -gt 0 ] && [ -z "$full" ] || plain=1
[ -z "$full" ] || gates=(lint no-ui install benches asan tsan fuzz soak kills pools podman clean-root)

step() { echo "== $1 (${SECONDS} s)"; }

ends=()
failed=''
# gate NAME SCRIPT [ARGUMENT…]: runs a gate and prints one line about its end, which is repeated after all gates.
gate() {
    local name=$1 code=0 started=$SECONDS notes end
    step "$name"
    notes=$(mktemp)
    SG_GATE_NOTES=$notes "packaging/gates/$2.sh" "${@:3}" || code=$?
    case $code in
    0) end="passed" ;;
    77) end="not on this machine" ;;
    *) end="failed" failed="$failed $name" ;;
    esac
    end="gate $name: $end, $((SECONDS - started)) s$(sed 's/^/; /' "$notes" | tr -d '\n')"
    rm -f "$notes"
    ends+=("$end")
    echo "$end"
}

prepare() {
    . packaging/setup/packages.sh
    . packaging/setup/install.sh
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
        echo "No Docker Engine answers and none could be started: tests that need one fail as root, who installed it, and else are skipped."
    fi
    . packaging/setup/langgraph.sh
    . packaging/setup/mcp.sh
    . packaging/setup/s3.sh
    . packaging/setup/e2b.sh
    . packaging/setup/e2b_js.sh
}

tests() {
    step "tests"
    . packaging/setup/require.sh
    . packaging/setup/run_tests.sh
    export SG_FULL=$full
    export SG_FUZZ_SECONDS=${SG_FUZZ_SECONDS:-10}
    export SG_CONFORMANCE_COUNT=${SG_CONFORMANCE_COUNT:-${full:+1000}}
    export SG_CONFORMANCE_SEED=${SG_CONFORMANCE_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
    export SANDGLASS_EDIT_COUNT=${SANDGLASS_EDIT_COUNT:-${full:+10000}}
    export SANDGLASS_EDIT_SEED=${SANDGLASS_EDIT_SEED:-$((SG_CONFORMANCE_SEED % 1000000))}
    echo "Random cases for LangGraph and the engine: SG_CONFORMANCE_SEED=$SG_CONFORMANCE_SEED (set it to repeat them)."
    # The long counts of sessions and kills have their own gates.
    run_tests release ${full:+-E '^(tst_session_soak|tst_rewind_kills.*)$'} || failed="$failed tests"
}

[ -z "$plain" ] || prepare
if [ -n "$plain" ] && [ -z "$full" ]; then
    SG_LINT_SECONDS=${SG_LINT_SECONDS:-180} gate "lint of what was changed" lint --changed
    gate "part in turn" rotation
fi
for name in "${gates[@]}"; do
    case $name in
    asan | tsan) gate "$name" sanitizer "$name" ;;
    fuzz) gate fuzz fuzz "${fuzz_seconds:-1200}" ;;
    *) gate "$name" "${name//-/_}" ;;
    esac
done
# In a plain run the last lines are ctest's own summary.
[ -z "$plain" ] || tests
if [ -z "$plain" ] || [ -n "$full" ]; then
    step "all"
    printf '%s\n' "${ends[@]}"
fi
[ -z "$failed" ] || { echo "error: failed:$failed" >&2; exit 1; }
