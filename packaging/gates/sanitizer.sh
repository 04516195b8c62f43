#!/usr/bin/env bash
# sanitizer.sh asan|tsan [NUMBER]
# Every test of the core that starts no sandbox, under AddressSanitizer and UndefinedBehaviorSanitizer, or ThreadSanitizer.
# With a NUMBER, only the tests of one folder, which the number selects.
. "$(dirname "$0")/gate.sh"
preset=$1
elsewhere='docker|bubblewrap|sandbox|window'
install_packages "$packages_to_build" "$packages_to_test"
# What was just installed must not be missing; what these tests need beyond it is made by the plain run.
export SG_REQUIRE=${SG_REQUIRE-git,dot,redis,postgres,dbus,shells}
folder=''
if [ -n "${2:-}" ]; then
    folders=(tests/core/*/ tests/fault/)
    folder=${folders[$(($2 % ${#folders[@]}))]%/}
    echo "$preset of $folder"
fi
packaging/setup/build.sh "$preset" --target "${folder:+$folder/}all"
SG_FULL='' ctest --test-dir "build/$preset/$folder" --output-on-failure --no-tests=error -j "$(nproc)" -LE "$elsewhere"
