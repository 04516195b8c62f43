#!/usr/bin/env bash
# clean-root.sh CHECKOUT COMMAND…
# Runs COMMAND in a clone of CHECKOUT inside a fresh Debian 12 root, where nothing but git, sudo and CA certificates is
# installed: what a new user's machine has. Own mount and pid namespaces, so all that it started ends with it. What is not
# committed is not in it. Needs root and mmdebstrap. The base is kept in $CLEAN_ROOT_CACHE (default /var/cache/sandglass-clean-root).
# KEEP=1 leaves the root.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "error: only root can make a root of its own" >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "error: mmdebstrap is missing. Install it: apt install mmdebstrap" >&2; exit 1; }
checkout=$(cd "$1" && pwd)
shift
cache=${CLEAN_ROOT_CACHE:-/var/cache/sandglass-clean-root}
mkdir -p "$cache"
[ -s "$cache/base.tar" ] || {
    mmdebstrap --quiet --variant=minbase --include=git,sudo,ca-certificates bookworm "$cache/new.tar"
    mv "$cache/new.tar" "$cache/base.tar"
}
root=$(mktemp -d "$cache/root.XXXXXX")
# Called by the trap.
# shellcheck disable=SC2317
finish() {
    if [ -n "${KEEP:-}" ]; then echo "kept: $root"; else rm -rf --one-file-system "$root"; fi
}
trap finish EXIT
tar -xf "$cache/base.tar" -C "$root"

# The settings by which this machine reaches the network: names, certificates, package sources, client options.
take() { [ ! -e "$1" ] || { mkdir -p "$root${1%/*}"; cp -rL --remove-destination "$1" "$root${1%/*}/"; }; }
rm -rf "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d"
for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /usr/local/share/ca-certificates /etc/pip.conf \
    /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/keyrings /etc/apt/apt.conf.d/99*; do
    take "$file"
done
git clone -q "$checkout" "$root/root/project"
# The clone's origin is a folder outside of the root, but its history is complete.
mapfile -t settings < <(env | grep -E '^(SSL_CERT|CURL_CA|REQUESTS_CA|PIP_|GIT_SSL|http_proxy|https_proxy|no_proxy|CI=|SG_)' || true)
export CLEAN_ROOT=$root
# shellcheck disable=SC2016
unshare --mount --pid --fork --kill-child --propagation private bash -euo pipefail -c '
    root=$CLEAN_ROOT
    mount --bind "$root" "$root"
    cd "$root"
    mount -t proc proc proc
    mount --rbind /sys sys
    mount --rbind /dev dev
    mount -t tmpfs tmpfs run
    mount -t tmpfs tmpfs tmp
    mkdir -p .old
    pivot_root . .old
    umount -l /.old
    rmdir /.old
    cd /root/project
    exec "$@"' -- env -i HOME=/root USER=root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    "${settings[@]}" "$@"
