#!/usr/bin/env bash
# sanitizer.sh asan|tsan [NUMBER]
# Every test of the core that starts no sandbox, under AddressSanitizer and UndefinedBehaviorSanitizer, or ThreadSanitizer.
# With a NUMBER, the tests of one folder alone: which, the number says.
. "$(dirname "$0")/gate.sh"
preset=$1
elsewhere='docker|bubblewrap|sandbox|window|cli|langgraph|fuzz' # these start other programs, or are fuzzed with both sanitizers
install_packages "$packages_to_build" "$packages_to_test"
configure "$preset"
folder=''
if [ -n "${2:-}" ]; then
    folders=(tests/core/*/ tests/fault/ tests/conformance/)
    folder=${folders[$(($2 % ${#folders[@]}))]%/}
    echo "$preset of $folder"
fi
ninja -C "build/$preset" "${folder:+$folder/}all" >"build/$preset/build.log" 2>&1 \
    || { grep -vE '^\[[0-9]+/[0-9]+\]' "build/$preset/build.log" | head -n 100 >&2; exit 1; }
SG_FULL='' ctest --test-dir "build/$preset/$folder" --output-on-failure --no-tests=error -j "$(nproc)" -LE "$elsewhere"
