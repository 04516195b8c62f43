# Starts a Docker Engine for the tests alone, with its own data and socket, and ends it by its pid. Sourced.

engine_folder=''
engine_pid=''

start_engine_if_none() {
    docker version >/dev/null 2>&1 && return 0
    [ "$(id -u)" -eq 0 ] || return 0
    command -v dockerd >/dev/null || return 0
    engine_folder=$(mktemp -d /var/tmp/sandglass-engine.XXXXXX)
    # The image is kept between runs; everything else is removed with the folder.
    local data=${SANDGLASS_ENGINE_DATA:-/var/lib/sandglass-test-engine}
    mkdir -p "$data"
    dockerd --data-root "$data" --exec-root "$engine_folder/exec" --pidfile "$engine_folder/pid" \
        --host "unix://$engine_folder/docker.sock" --bridge none --iptables=false --ip6tables=false \
        >"$engine_folder/log" 2>&1 &
    engine_pid=$!
    local tries
    for tries in $(seq 1 150); do
        if DOCKER_HOST="unix://$engine_folder/docker.sock" docker version >/dev/null 2>&1; then
            export DOCKER_HOST="unix://$engine_folder/docker.sock"
            echo "Started a Docker Engine for the tests (pid $engine_pid)."
            return 0
        fi
        kill -0 "$engine_pid" 2>/dev/null || break
        sleep 0.2
    done
    echo "A Docker Engine could not be started; its last words:" >&2
    tail -n 5 "$engine_folder/log" >&2
    stop_engine
}

stop_engine() {
    [ -n "$engine_pid" ] || return 0
    kill "$engine_pid" 2>/dev/null || true
    wait "$engine_pid" 2>/dev/null || true
    engine_pid=''
    # A container that ended with its engine may leave a mount, which would stop rm.
    awk -v folder="$engine_folder/" 'index($2, folder) == 1 { print $2 }' /proc/mounts | sort -r \
        | while read -r mounted; do umount -l "$mounted" || true; done
    rm -rf "$engine_folder" || true
    unset DOCKER_HOST
}
