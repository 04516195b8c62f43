#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET…]
# Builds the fuzz targets with clang and runs each (or those named: case checkpoint frames graph http json msgpack rows tls) for so
# long, from tests/fuzz/corpus and what earlier runs found (build/fuzz/found). What breaks one is left in build/fuzz and named.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/setup/packages.sh
. packaging/setup/install.sh
[[ ${1:-} =~ ^[0-9]+$ ]] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
seconds=$1
shift
targets=${*:-$(cd tests/fuzz/corpus && echo *)}

install_packages "$packages_to_fuzz"
packaging/setup/build.sh fuzz
failed=''
for target in $targets; do
    mkdir -p "build/fuzz/found/$target"
    log=build/fuzz/$target.log
    if build/fuzz/bin/"fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=16384 \
        -artifact_prefix="build/fuzz/$target-" "build/fuzz/found/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
        echo "fuzz $target: $(grep -o 'stat::number_of_executed_units: *[0-9]*\|Done [0-9]* runs in [0-9]* second(s)' "$log" | tail -n 1)"
    else
        failed="$failed $target"
        tail -n 40 "$log" >&2
        echo "fuzz $target: failed, see $log" >&2
    fi
done
[ -z "$failed" ] || { echo "error: fuzzing found something in:$failed" >&2; exit 1; }
