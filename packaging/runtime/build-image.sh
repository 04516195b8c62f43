#!/usr/bin/env bash
# build-image.sh [--check] [IMAGE]
# Makes the Docker image sandglass/python from Debian packages and the pinned wheels, without a registry:
# mmdebstrap makes the root, pip fills it, `docker import` stores it. Needs root (or user namespaces), mmdebstrap, docker.
# Exit code 6: no Docker Engine to build for.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
check=''
if [ "${1:-}" = --check ]; then check=1; shift; fi
image=${1:-sandglass/python}
command -v docker >/dev/null || { echo "error: the docker command is missing. Install it: apt install docker.io" >&2; exit 6; }
docker version --format '{{.Server.Version}}' >/dev/null 2>&1 || {
    echo "error: no Docker Engine answers at ${DOCKER_HOST:-/var/run/docker.sock}. Start it, or set DOCKER_HOST." >&2
    exit 6
}
wanted=$(sha256sum <"$here/requirements.txt" | cut -c1-16) # the Dockerfile's label holds the same
have=$(docker image inspect --format '{{index .Config.Labels "io.sandglass.runtime"}}' "$image" 2>/dev/null || true)
if [ "$have" = "$wanted" ]; then
    [ -z "$check" ] || echo "$image: up to date ($wanted)"
    exit 0
fi
if [ -n "$check" ]; then
    echo "$image: missing or out of date. Build it: sandglass image build --backend docker" >&2
    exit 1
fi
command -v mmdebstrap >/dev/null || { echo "error: mmdebstrap is missing. Install it: apt install mmdebstrap" >&2; exit 1; }

echo "Building the image $image (once, about 90 s) …"
work=$(mktemp -d "${TMPDIR:-/var/tmp}/sandglass-image.XXXXXX")
trap 'rm -rf "$work"' EXIT
/usr/bin/python3 -m venv "$work/tool"
"$work/tool/bin/pip" --disable-pip-version-check install --quiet --no-deps --only-binary=:all: --no-compile \
    --python-version 3.11 --implementation cp --target "$work/packages" -r "$here/requirements.txt"
# $1 is mmdebstrap's own variable: the new root.
# shellcheck disable=SC2016
mmdebstrap --quiet --variant=minbase --include=python3 \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook='mkdir -p "$1/session" "$1/data" "$1/run/sandglass" "$1/usr/local/lib/python3.11/dist-packages"' \
    --customize-hook="copy-in $work/packages/. /usr/local/lib/python3.11/dist-packages" \
    --customize-hook='chroot "$1" python3 -m compileall -q -j 2 /usr/local/lib/python3.11 >/dev/null 2>&1 || true' \
    --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*' \
    bookworm "$work/root.tar"
docker import --change 'ENV MPLBACKEND=Agg PYTHONUNBUFFERED=1' --change 'LABEL io.sandglass.image=python' \
    --change "LABEL io.sandglass.runtime=$wanted" --change 'CMD ["python3"]' "$work/root.tar" "$image" >/dev/null
echo "$image: built"
