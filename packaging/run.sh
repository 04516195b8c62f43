#!/usr/bin/env bash
# run.sh [--headless] [PROJECT]
# Installs what is missing, prepares the sandbox's Python, builds, and opens the window on the example project.
# Without a display, or with --headless, runs the example and prints its result, checkpoints and artifacts.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
headless=''
project=''
for argument in "$@"; do
    case $argument in
    --headless) headless=1 ;;
    -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
    -*) echo "error: unknown option $argument. See packaging/run.sh --help." >&2; exit 2 ;;
    *) project=$(realpath -e -- "$argument" 2>/dev/null) || { # relative to where it was typed
        echo "error: there is no $argument. Name a project folder or a graph file." >&2
        exit 2
    } ;;
    esac
done
cd "$top"
. packaging/setup/packages.sh
. packaging/setup/install.sh
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || headless=1

install_packages "$packages_to_build" "$packages_to_run"
ensure_account
# Preparing the sandbox's Python is mostly waiting, so it runs during the build; its output comes after the build's.
runtime_log=$(mktemp)
packaging/runtime/make-venv.sh >"$runtime_log" 2>&1 &
runtime=$!
trap 'kill "$runtime" 2>/dev/null || true; rm -f "$runtime_log"' EXIT
packaging/setup/build.sh release --target programs
wait "$runtime" || { cat "$runtime_log" >&2; exit 1; }
cat "$runtime_log"
rm -f "$runtime_log"
trap - EXIT

bin=build/release/bin
if [ -z "$headless" ]; then
    exec "$bin/sandglass-workbench" "${project:-resources/examples/penguins}"
fi
project=${project:-resources/examples/penguins}
echo "== run: $project on thread demo"
"$bin/sandglass" run "$project" --thread demo
echo "== checkpoints"
"$bin/sandglass" history --project "$project" --thread demo
echo "== artifacts"
"$bin/sandglass" artifacts list --project "$project" --thread demo
