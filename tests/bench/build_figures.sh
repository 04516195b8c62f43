#!/usr/bin/env bash
# build_figures.sh [--here [--tests] | --changes]
# What a clone costs until its window opens, and what a changed line costs after that; about an hour, half of it tests.
#   no option   in a fresh Debian root (packaging/setup/clean-root.sh), from the last commit; leaves the figures in build/figures.txt,
#               where figures.sh finds them. Needs root
#   --here      in this clone, which must be a fresh one: to be called inside of such a root. Prints the figures. --tests: with
#               packaging/test.sh after it
#   --changes   what changed lines and a second run.sh take in this checkout, whose programs and tests are built
set -euo pipefail
cd "$(dirname "$0")/../.."
case ${1:-} in
'') mode=root ;;
--here | --changes) mode=${1#--} ;;
*) sed -n '2,8s/^# //p' "$0" >&2; exit 2 ;;
esac
scratch=$(mktemp -d)
changed=''
# shellcheck disable=SC2317 # called by the trap
finish() {
    restore
    rm -rf "$scratch"
}
restore() {
    [ -z "$changed" ] || git checkout -q -- "$changed"
    changed=''
}
trap finish EXIT

figure() { echo "figure build.$1 $2 $3"; }
fails() {
    echo "failed build.$1 $2"
    exit 1
}
since() { awk -v now="$EPOCHREALTIME" -v then="$1" 'BEGIN { printf "%.3f", now - then }'; }

# Processor seconds of every ninja from now on are added to a file: another ninja stands before the machine's own.
count_ninja() {
    mkdir -p "$scratch/bin"
    cat >"$scratch/bin/ninja" <<SHIM
#!/usr/bin/env bash
exec 3>&2
TIMEFORMAT='%U %S'
code=0
{ time /usr/bin/ninja "\$@" 2>&3; } 2>>"$scratch/ninja" || code=\$?
exit \$code
SHIM
    chmod +x "$scratch/bin/ninja"
    PATH=$scratch/bin:$PATH
}
ninja_seconds() { awk '{ all += $1 + $2 } END { print all + 0 }' "$scratch/ninja"; }

# run.sh becomes the window's program: seconds until then. What it says goes to a file.
to_window() {
    local began=$EPOCHREALTIME run
    DISPLAY=${DISPLAY:-:0} QT_QPA_PLATFORM=offscreen packaging/run.sh >"$scratch/run" 2>&1 &
    run=$!
    until [[ $(readlink "/proc/$run/exe") = */sandglass-workbench ]]; do
        kill -0 "$run" 2>/dev/null || { cat "$scratch/run" >&2; return 1; }
        sleep 0.02
    done
    since "$began"
    kill "$run"
    wait "$run" || true
}

# after_change ID FILE COMMAND…: seconds of the command once a line of the file has changed; the middle of three.
after_change() {
    local id=$1 file=$2 i began
    shift 2
    git diff --quiet HEAD -- "$file" || fails "$id" "$file has changes that are not committed"
    changed=$file
    : >"$scratch/times"
    for i in 1 2 3; do
        echo "extern const int sgChangedLine$i;" >>"$file"
        began=$EPOCHREALTIME
        "$@" >"$scratch/change" 2>&1 || { cat "$scratch/change" >&2; fails "$id" "the build or its test failed"; }
        printf '%s\n' "$(since "$began")" >>"$scratch/times"
    done
    restore
    figure "$id" "$(sort -n "$scratch/times" | sed -n 2p)" s
}
build() { packaging/setup/build.sh release --target "$1"; }
build_and_test() { build tests_core_sessions && QT_QPA_PLATFORM=offscreen build/release/tests/tests_core_sessions tst_session_mode; }

second_run() {
    local seconds
    to_window >/dev/null || fails second_run "packaging/run.sh does not come to its window"
    seconds=$(to_window) || fails second_run "packaging/run.sh does not come to its window"
    figure second_run "$seconds" s
}
changes() {
    export CCACHE_DISABLE=1
    build_and_test >/dev/null
    after_change source_line core/sessions/session_mode.cpp build_and_test
    build programs >/dev/null
    after_change header_line core/base/result.h build programs
}

case $mode in
root)
    mkdir -p build
    code=0
    {
        echo "commit $(git rev-parse HEAD)"
        packaging/setup/clean-root.sh . tests/bench/build_figures.sh --here --tests | tee >(cat >&2) | grep -E '^(figure|failed) '
    } >build/figures.new || code=$?
    mv build/figures.new build/figures.txt # also what failed
    exit "$code"
    ;;
here)
    [ ! -e build/release ] || { echo "error: build/release is there already: clone afresh, or take --changes" >&2; exit 2; }
    count_ninja
    began=$EPOCHREALTIME
    seconds=$(to_window) || fails to_window "packaging/run.sh does not come to its window"
    figure to_window "$seconds" s
    figure programs_processor "$(ninja_seconds)" s
    second_run
    packaging/run.sh --headless >/dev/null || fails headless "packaging/run.sh --headless failed"
    if [ "${2:-}" = --tests ]; then
        packaging/test.sh >&2 || fails test "packaging/test.sh failed"
        figure test "$(since "$began")" s
        figure all_processor "$(ninja_seconds)" s
    fi
    changes
    ;;
changes)
    second_run
    changes
    ;;
esac
