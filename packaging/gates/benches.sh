#!/usr/bin/env bash
# benches.sh
# Builds every bench, which no other part of a run does, so that none is found broken on the day when figures are wanted.
. "$(dirname "$0")/gate.sh"
install_packages "$packages_to_build" "$packages_to_test"
packaging/setup/build.sh release --target benches
