#!/usr/bin/env bash
# podman.sh [CTEST OPTION…]
# The whole sandbox suite through Podman's socket: as root, then rootless as an account made for it and removed afterwards.
# Options such as -R PATTERN choose among its tests.
. "$(dirname "$0")/gate.sh"
[ "$(id -u)" -eq 0 ] || not_here "only root can run Podman as root and make an account for the rootless part"
install_packages "$packages_to_podman"
with_sandboxes
packaging/setup/build.sh release --target tests
top=$PWD
with_podman=tests/integration/sandbox/with_podman.sh
account=sandglass-podman
work=$(mktemp -d /var/tmp/sandglass-gate.XXXXXX)
chmod 755 "$work"
finish() {
    # A process of the rootless account keeps its user namespace after the service has ended.
    local pids
    if pids=$(ps -o pid= -u "$account" 2>/dev/null); then
        # shellcheck disable=SC2086
        kill -KILL $pids 2>/dev/null || true
    fi
    userdel --force "$account" 2>/dev/null || true
    rm -rf --one-file-system "$work"
    stop_engine
}
trap finish EXIT

failed=''
code=0
SG_REQUIRE=docker "$with_podman" ctest --preset release -L docker -j 1 "$@" || code=$?
case $code in
0) echo "podman as root: passed" ;;
77) note "as root: Podman cannot be used here" ;;
*) failed=' root' ;;
esac

rootless() {
    local image='' container
    getent passwd "$account" >/dev/null || useradd --create-home --home-dir "$work/home" --shell /bin/bash "$account"
    grep -q "^$account:" /etc/subuid || usermod --add-subuids 400000-465535 --add-subgids 400000-465535 "$account"
    as() { runuser -u "$account" -- env -i HOME="$work/home" PATH="$PATH" LANG=C.UTF-8 XDG_RUNTIME_DIR="$work/run" \
        ${image:+"$image"} SG_REQUIRE=docker "$@"; }
    as test -r "$top/CMakeLists.txt" || { note "rootless: another account cannot read $top"; return 0; }
    as unshare --user --map-root-user true 2>/dev/null || { note "rootless: this machine gives no user namespaces"; return 0; }
    install -d -m 700 -o "$account" "$work/run"
    if docker image inspect sandglass/python >/dev/null 2>&1; then
        container=$(docker create sandglass/python true)
        docker export "$container" >"$work/image.tar"
        docker rm "$container" >/dev/null
        chmod 644 "$work/image.tar"
        image=SG_PODMAN_IMAGE=$work/image.tar
    fi
    # ctest writes next to its files, so they are copied; they name the programs by absolute paths.
    (cd build/release && find . -name CTestTestfile.cmake -exec cp --parents -t "$work" {} +)
    chown -R "$account" "$work"
    as packaging/runtime/make-venv.sh
    [ -f /sys/fs/cgroup/cgroup.controllers ] || note "rootless: this machine has no control groups of version 2, so limits are not tested"
    as "$top/$with_podman" ctest --test-dir "$work" --output-on-failure -L docker -j 1 "$@"
}
code=0
rootless "$@" || code=$?
case $code in
0) echo "podman rootless: passed" ;;
77) note "rootless: Podman cannot be used here" ;;
*) failed="$failed rootless" ;;
esac
[ -z "$failed" ] || { echo "error: the sandbox suite failed through Podman:$failed" >&2; exit 1; }
