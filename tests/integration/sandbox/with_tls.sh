#!/usr/bin/env bash
# with_tls.sh COMMAND [ARGUMENT…]: runs COMMAND with DOCKER_HOST at a Docker Engine of its own that speaks TLS alone, with certificates
# made on the spot; it is ended after it. Root is needed.
#   tests/integration/sandbox/with_tls.sh build/release/tests/tst_docker executesCells
# Its sandboxes are attached to (no socket of theirs is shared), so the tests of that socket and of kept sandboxes do not apply.
# Its data are kept between runs (SG_TLS_DATA, default /var/lib/sandglass-test-tls). The image sandglass/python is taken from the
# archive SG_TLS_IMAGE (of docker export), else from a Docker Engine that answers. Exit code 77: it cannot be done here, and why.
set -euo pipefail
skip() {
    case ",${SG_REQUIRE:-}," in *,tls,*) echo "error: tls is missing, and SG_REQUIRE names it: $1" >&2; exit 1 ;; esac
    echo "skipped: $1" >&2
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "only root can start a Docker Engine"
command -v dockerd >/dev/null || skip "dockerd is not installed: apt install docker.io"
command -v openssl >/dev/null || skip "openssl is not installed: apt install openssl"

data=${SG_TLS_DATA:-/var/lib/sandglass-test-tls}
work=$(mktemp -d /var/tmp/sandglass-tls.XXXXXX)
engine=''
finish() {
    [ -z "$engine" ] || { kill "$engine" 2>/dev/null || true; wait "$engine" 2>/dev/null || true; }
    awk -v folder="$work/" 'index($2, folder) == 1 { print $2 }' /proc/mounts | sort -r \
        | while read -r mounted; do umount -l "$mounted" || true; done
    rm -rf "$work"
}
trap finish EXIT
cd "$work"
key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
{
    openssl req -x509 "${key[@]}" -keyout authority.key -out ca.pem -days 2 -subj /CN=authority
    for name in engine client; do
        usage=clientAuth
        [ "$name" = client ] || usage=serverAuth
        printf 'subjectAltName=IP:127.0.0.1\nextendedKeyUsage=%s\n' "$usage" >"$name.ext"
        openssl req "${key[@]}" -keyout "$name.key" -out "$name.csr" -subj "/CN=$name"
        openssl x509 -req -in "$name.csr" -CA ca.pem -CAkey authority.key -CAcreateserial -out "$name.pem" -days 2 \
            -extfile "$name.ext"
    done
} 2>"$work/openssl.log" || { cat "$work/openssl.log" >&2; exit 1; }
cp client.pem cert.pem
cp client.key key.pem

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
dockerd --data-root "$data" --exec-root "$work/exec" --pidfile "$work/pid" --host "tcp://127.0.0.1:$port" --tlsverify \
    --tlscacert ca.pem --tlscert engine.pem --tlskey engine.key --bridge none --iptables=false --ip6tables=false \
    >"$work/log" 2>&1 &
engine=$!
source_host=${DOCKER_HOST:-}
tls() { DOCKER_HOST="tcp://127.0.0.1:$port" DOCKER_TLS_VERIFY=1 DOCKER_CERT_PATH=$work "$@"; }
for _ in $(seq 150); do
    ! tls docker version >/dev/null 2>&1 || break
    kill -0 "$engine" 2>/dev/null || skip "the engine does not start: $(tail -n 1 "$work/log")"
    sleep 0.2
done
if ! tls docker image inspect sandglass/python >/dev/null 2>&1; then
    if [ -n "${SG_TLS_IMAGE:-}" ]; then
        tls docker import "$SG_TLS_IMAGE" sandglass/python >/dev/null
    elif DOCKER_HOST=$source_host docker image inspect sandglass/python >/dev/null 2>&1; then
        DOCKER_HOST=$source_host docker save sandglass/python | tls docker load >/dev/null
    else
        skip "there is no image sandglass/python: set SG_TLS_IMAGE, or start an engine that has it"
    fi
fi
cd "$OLDPWD"
code=0
tls "$@" || code=$?
exit "$code"
