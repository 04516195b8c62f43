#!/usr/bin/env bash
# build-image.sh [IMAGE]
# Makes the Docker image sandglass/server: the command line with the Python of its sandboxes, on Debian. It needs root (or user
# namespaces), mmdebstrap and a Docker Engine; push the image to the registry of your cluster afterwards.
# Exit code 6: no Docker Engine to build for.
set -euo pipefail
cd "$(dirname "$0")/../.."
image=${1:-sandglass/server}
docker version --format '{{.Server.Version}}' >/dev/null 2>&1 || {
    echo "error: no Docker Engine answers at ${DOCKER_HOST:-/var/run/docker.sock}. Start it, or set DOCKER_HOST." >&2
    exit 6
}
command -v mmdebstrap >/dev/null || { echo "error: mmdebstrap is missing. Install it: apt install mmdebstrap" >&2; exit 1; }
packaging/setup/build.sh release --target programs
work=$(mktemp -d "${TMPDIR:-/var/tmp}/sandglass-server.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cmake --install build/release --prefix "$work/sandglass" >/dev/null
rm -f "$work/sandglass/bin/sandglass-workbench" # it would need Qt
SANDGLASS_PYTHON='' packaging/runtime/make-venv.sh "$work/python"
# The libraries are those of the machine that builds: Debian 12, or one whose packages have the same names.
packages=bubblewrap,python3,ca-certificates,libsqlite3-0,libxxhash0,libspdlog1.10,libssl3,libstdc++6,libfmt9
packages+=,libcurl4,libjq1,libarchive13,libhiredis0.14,libpq5,libexpat1
# $1 is mmdebstrap's own variable: the new root.
# shellcheck disable=SC2016
mmdebstrap --quiet --variant=minbase --include="$packages" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook='mkdir -p "$1/opt" "$1/project"' \
    --customize-hook="cp -a $work/sandglass $work/python \"\$1/opt/\"" \
    --customize-hook='ln -s /opt/sandglass/bin/sandglass "$1/usr/bin/sandglass"' \
    --customize-hook='echo sandglass:x:10001:10001::/project:/usr/sbin/nologin >>"$1/etc/passwd"' \
    --customize-hook='echo sandglass:x:10001: >>"$1/etc/group"; chown 10001:10001 "$1/project"' \
    --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*' \
    bookworm "$work/root.tar"
docker import --change 'ENV SANDGLASS_PYTHON=/opt/python HOME=/project' --change 'USER 10001:10001' --change 'WORKDIR /project' \
    --change 'ENTRYPOINT ["sandglass"]' --change 'LABEL io.sandglass.image=server' "$work/root.tar" "$image" >/dev/null
echo "$image: built"
