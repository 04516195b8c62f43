#!/usr/bin/env bash
# clean_root.sh
# Runs both commands, one after the other, as on a new user's machine: a fresh Debian 12 with a clone of the last commit. The
# figures of their cost are left in build/figures.txt.
. "$(dirname "$0")/gate.sh"
[ "$(id -u)" -eq 0 ] || not_here "only root can make a root of its own"
unshare --mount --pid --fork true 2>/dev/null || not_here "this machine gives no mount and process namespaces"
install_packages "$packages_to_clean_root"
git diff --quiet HEAD || note "changes that are not committed are not in it"
tests/bench/build_figures.sh
