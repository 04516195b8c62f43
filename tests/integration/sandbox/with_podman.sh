#!/usr/bin/env bash
# with_podman.sh COMMAND [ARGUMENT…]: runs COMMAND with DOCKER_HOST at a Podman service of its own, which is ended after it.
#   tests/integration/sandbox/with_podman.sh ctest --preset release -R '^tst_docker$'
# As root the storage is kept between runs (SG_PODMAN_DATA, default /var/lib/sandglass-test-podman); as another user it is that
# user's own (rootless: uidmap is needed; limits hold where control groups version 2 are delegated, and nowhere else). The image
# sandglass/python is taken from the archive SG_PODMAN_IMAGE (of docker export), else from a Docker Engine that answers, else it is
# built. Exit code 77: Podman cannot be used here, and why.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
skip() {
    case ",${SG_REQUIRE:-}," in *,podman,*) echo "error: podman is missing, and SG_REQUIRE names it: $1" >&2; exit 1 ;; esac
    echo "skipped: $1" >&2
    exit 77
}
command -v podman >/dev/null || skip "podman is not installed: apt install podman"
[ "$(id -u)" -eq 0 ] || command -v newuidmap >/dev/null || skip "rootless Podman needs newuidmap: apt install uidmap"

data=${SG_PODMAN_DATA:-/var/lib/sandglass-test-podman}
work=$(mktemp -d /var/tmp/sandglass-podman.XXXXXX)
service=''
finish() {
    [ -z "$service" ] || { kill "$service" 2>/dev/null || true; wait "$service" 2>/dev/null || true; }
    rm -rf "$work"
}
trap finish EXIT
# runc: crun of Debian 12 refuses machines with both versions of control groups.
# Podman remembers both folders together, so this one is the same each time, too.
podman=(podman --storage-driver overlay --cgroup-manager cgroupfs)
[ "$(id -u)" -ne 0 ] || podman+=(--root "$data" --runroot "/run/$(basename "$data")")
[ ! -x /usr/sbin/runc ] || podman+=(--runtime /usr/sbin/runc)

take_image() {
    echo "Copying the image sandglass/python …" >&2
    "${podman[@]}" import --change 'ENV MPLBACKEND=Agg' --change 'ENV PYTHONUNBUFFERED=1' --change 'CMD ["python3"]' \
        - sandglass/python >/dev/null
}
if "${podman[@]}" image exists sandglass/python; then
    :
elif [ -n "${SG_PODMAN_IMAGE:-}" ]; then
    take_image <"$SG_PODMAN_IMAGE"
elif docker image inspect sandglass/python >/dev/null 2>&1; then
    container=$(docker create sandglass/python true)
    docker export "$container" | take_image
    docker rm "$container" >/dev/null
fi
export DOCKER_HOST=unix://$work/podman.sock
# Elsewhere than here: where a container runs out of memory, its monitor leaves a file "oom" in the folder it was started in.
(cd "$work" && exec "${podman[@]}" system service --time 0 "$DOCKER_HOST") >"$work/log" 2>&1 &
service=$!
for _ in $(seq 100); do
    [ ! -S "$work/podman.sock" ] || break
    kill -0 "$service" 2>/dev/null || break
    sleep 0.1
done
[ -S "$work/podman.sock" ] || skip "podman's service does not start: $(tail -n 1 "$work/log")"
"${podman[@]}" image exists sandglass/python || "$here/../../../packaging/runtime/build-image.sh" >&2
code=0
"$@" || code=$?
exit "$code"
