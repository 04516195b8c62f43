#!/usr/bin/env bash
# install.sh
# Installs into a fresh folder, moves that, and runs from there: an example by the command line, a picture by the window.
. "$(dirname "$0")/gate.sh"
install_packages "$packages_to_build" "$packages_to_run"
ensure_account
packaging/runtime/make-venv.sh
packaging/setup/build.sh release --target programs
work=$(mktemp -d /var/tmp/sandglass-install.XXXXXX)
trap 'rm -rf "$work"' EXIT
top=$PWD
chmod 755 "$work"
cmake --install build/release --prefix "$work/first" >"$work/log" || { cat "$work/log" >&2; exit 1; }
mv "$work/first" "$work/moved"
cp -r "$work/moved/share/sandglass/examples/penguins" "$work/project"
cd "$work"
# Neither environment nor working folder refer to the checkout, and for root it is hidden altogether.
hidden=()
# shellcheck disable=SC2016
[ "$(id -u)" -ne 0 ] || hidden=(unshare --mount bash -c 'mount -t tmpfs tmpfs "$1" && exec "${@:2}"' - "$top")
installed() {
    "${hidden[@]}" env -i HOME="$HOME" PATH=/usr/bin:/bin LANG=C.UTF-8 ${DOCKER_HOST:+DOCKER_HOST="$DOCKER_HOST"} \
        QT_QPA_PLATFORM=offscreen "$work/moved/bin/$1" "${@:2}"
}
installed sandglass run project --thread installed
installed sandglass history --project project --thread installed | grep -q . || { echo "error: the run left no checkpoint" >&2; exit 1; }
installed sandglass artifacts list --project project --thread installed
# Both are made by the build.
installed sandglass help nodes | grep -q python || { echo "error: the guide's chapter of nodes is missing" >&2; exit 1; }
[ -s "$work/moved/share/sandglass/schemas/graph.schema.json" ] || { echo "error: the schema of graphs is missing" >&2; exit 1; }
installed sandglass open project --screenshot "$work/window.png" --size 1280x800
[ -s "$work/window.png" ] || { echo "error: the installed window drew nothing" >&2; exit 1; }
