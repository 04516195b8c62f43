# run_tests PRESET [CTEST OPTION…]: runs every test, then runs failed ones again, alone. Sourced; ctest's own summary comes
# last.

# Tests kill processes and wait for windows at set moments, so a test that failed only beside others is told apart from one that
# always fails. The test `flakes` (tests/flakes.txt) is run with them, and fails for tests that it does not list and for too
# many.
run_tests() {
    local preset=$1 failed pattern
    shift
    rm -f "build/$preset/Testing/Temporary/LastTestsFailed.log"
    SG_FAILED_BESIDE='' ctest --preset "$preset" -j "$(nproc)" "$@" && return 0
    failed=$(sed -n 's/^[0-9]*://p' "build/$preset/Testing/Temporary/LastTestsFailed.log" 2>/dev/null | sort -u)
    [ -n "$failed" ] || return 1 # ctest itself could not go on
    pattern=$(printf '%s\nflakes\n' "$failed" | sed 's/[][\\.*^$+?(){}|]/\\&/g' | paste -sd '|')
    echo "== failed beside another test; each again, alone (${SECONDS} s)"
    failed=$(grep -vx flakes <<<"$failed" | paste -sd ' ' || true)
    # shellcheck disable=SC2086
    [ -z "$failed" ] || packaging/setup/flakes.py tests/flakes.txt $failed || true
    SG_FAILED_BESIDE=$failed ctest --preset "$preset" -j 1 -R "^($pattern)\$"
}
