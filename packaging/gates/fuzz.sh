#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET…]
# Builds the fuzz targets with clang and runs each (or those named: case checkpoint frames graph http json msgpack names rows rpc sse tls) for so
# long, as many beside each other as there are processors, from tests/fuzz/corpus and what earlier runs found (build/fuzz/found).
# What breaks one is left in build/fuzz and named.
. "$(dirname "$0")/gate.sh"
[[ ${1:-} =~ ^[0-9]+$ ]] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
seconds=$1
shift
targets=("$@")
[ $# -gt 0 ] || mapfile -t targets < <(cd tests/fuzz/corpus && printf '%s\n' *)

fuzz_one() {
    local target=$1 log=build/fuzz/$1.log
    mkdir -p "build/fuzz/found/$target"
    if build/fuzz/bin/"fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=16384 \
        -artifact_prefix="build/fuzz/$target-" "build/fuzz/found/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
        echo "fuzz $target: $(grep -o 'stat::number_of_executed_units: *[0-9]*\|Done [0-9]* runs in [0-9]* second(s)' "$log" | tail -n 1)"
    else
        tail -n 40 "$log" >&2
        echo "fuzz $target: failed, see $log" >&2
        return 1
    fi
}

install_packages "$packages_to_build" "$packages_to_fuzz"
packaging/setup/build.sh fuzz
failed=0
running=0
for target in "${targets[@]}"; do
    if [ "$running" -ge "$(nproc)" ]; then
        wait -n || failed=$((failed + 1))
        running=$((running - 1))
    fi
    fuzz_one "$target" &
    running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
    wait -n || failed=$((failed + 1))
    running=$((running - 1))
done
[ "$failed" -eq 0 ] || { echo "error: fuzzing found something in $failed targets, named above" >&2; exit 1; }
