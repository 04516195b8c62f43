#!/usr/bin/env bash
# no_ui.sh
# Builds the core, the command line and their tests where there is no window (SG_BUILD_UI=OFF), and asks the program for its help.
. "$(dirname "$0")/gate.sh"
install_packages "$packages_to_build" "$packages_to_test"
packaging/setup/build.sh no-ui
[ ! -e build/no-ui/bin/sandglass-workbench ] || { echo "error: the window was built all the same" >&2; exit 1; }
build/no-ui/bin/sandglass --help >/dev/null
ldd build/no-ui/bin/sandglass | grep -i 'libQt' && { echo "error: the command line needs Qt" >&2; exit 1; }
true
