#!/bin/sh
# machine.sh PART: checks whether this machine has a part of parts.txt. Exit code 0: it has; 1: it lacks it, and the reason is
# printed.
# It asks the machine and never a program of this repository: a test must not skip because such a program is broken.
# Each part has a function here, named "look_" and the part.

lacks() {
    echo "$1"
    exit 1
}
# has COMMAND PACKAGE: the command must be installed.
has() { command -v "$1" >/dev/null 2>&1 || lacks "$1 is not installed: apt install $2"; }
# try COMMAND…: the command must succeed; otherwise its last line is the reason.
try() { told=$("$@" 2>&1) || lacks "$1: $(printf '%s\n' "$told" | tail -n 1)"; }
needs_root() { [ "$(id -u)" -eq 0 ] || lacks "$1 needs root"; }

look_bubblewrap() {
    has bwrap bubblewrap
    set -- bwrap --unshare-all --unshare-user --disable-userns --cap-drop ALL --ro-bind / / --proc /proc --dev /dev --tmpfs /tmp true
    # When Sandglass is root, its sandboxes run as another user, in mounts of their own.
    [ "$(id -u)" -ne 0 ] || set -- unshare --mount setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs "$@"
    try "$@"
}

look_redis() { has redis-server redis-server; }

look_postgres() {
    for place in "${SG_POSTGRES_BIN:-none}" /usr/lib/postgresql/*/bin; do [ ! -x "$place/initdb" ] || return 0; done
    lacks "there is no initdb in /usr/lib/postgresql: apt install postgresql"
}

look_cgroup() {
    top=/sys/fs/cgroup
    if [ "$(id -u)" -ne 0 ]; then
        case " $(cat $top/cgroup.controllers 2>/dev/null) " in
            *" memory "*) ;;
            *) lacks "control groups version 2 do not count memory here, and version 1 needs root" ;;
        esac
        has systemd-run systemd
        try systemd-run --user --scope --quiet --collect -p MemoryMax=64M -p TasksMax=64 true
        return
    fi
    if [ -e $top/cgroup.controllers ]; then
        for name in memory pids; do
            grep -qw $name $top/cgroup.subtree_control || try sh -c "echo +$name >$top/cgroup.subtree_control"
        done
        try mkdir $top/sandglass-look.$$
        rmdir $top/sandglass-look.$$
        return
    fi
    for name in memory pids; do
        try mkdir $top/$name/sandglass-look.$$
        rmdir $top/$name/sandglass-look.$$
    done
}

look_dbus() { has dbus-daemon dbus; }

look_docker() {
    has docker docker.io
    try docker version --format '{{.Server.Version}}'
    docker image inspect sandglass/python >/dev/null 2>&1 \
        || lacks "the engine has no image sandglass/python: packaging/runtime/build-image.sh"
}

look_dot() { has dot graphviz; }
look_git() { has git git; }

look_keyring() {
    has secret-tool libsecret-tools
    has gnome-keyring-daemon gnome-keyring
    has dbus-daemon dbus
    has dbus-send dbus
}

look_langgraph() {
    [ -n "${SG_LANGGRAPH_PYTHON:-}" ] || lacks "SG_LANGGRAPH_PYTHON names no Python with LangGraph: packaging/setup/langgraph.sh installs one"
    try "$SG_LANGGRAPH_PYTHON" -c 'import langgraph.graph, langgraph.checkpoint.sqlite'
}

look_mcp() {
    [ -n "${SG_MCP_PYTHON:-}" ] || lacks "SG_MCP_PYTHON names no Python with the MCP SDK: packaging/setup/mcp.sh installs one"
    try "$SG_MCP_PYTHON" -c 'import mcp.client, mcp.server.mcpserver'
}

look_s3() {
    [ -n "${SG_S3_PYTHON:-}" ] || lacks "SG_S3_PYTHON names no Python with moto: packaging/setup/s3.sh installs one"
    try "$SG_S3_PYTHON" -c 'import moto.server, boto3'
}

look_e2b() {
    [ -n "${SG_E2B_PYTHON:-}" ] || lacks "SG_E2B_PYTHON names no Python with E2B's SDK: packaging/setup/e2b.sh installs one"
    try "$SG_E2B_PYTHON" -c 'import e2b, e2b_code_interpreter, kubernetes_validate'
}

look_e2b_js() {
    [ -n "${SG_E2B_JS:-}" ] || lacks "SG_E2B_JS names no folder with E2B's SDK for JavaScript: packaging/setup/e2b_js.sh installs one where node is 20.18 or later"
    try node -e 'require(process.env.SG_E2B_JS + "/node_modules/@e2b/code-interpreter")'
}

look_podman() {
    has podman podman
    [ "$(id -u)" -eq 0 ] || has newuidmap uidmap
}

look_pythons() {
    own=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    named=$(printf '%s' "${SANDGLASS_TEST_PYTHONS:-}" | tr ':' ' ')
    for python in $named /usr/bin/python3.* /usr/local/bin/python3.* /opt/python*/bin/python3 "$HOME"/.pyenv/versions/*/bin/python3; do
        version=$("$python" -I -c 'import sys, ctypes, ssl; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
        [ "$version" != "$own" ] || continue
        case $version in 3.9 | 3.10 | 3.11 | 3.12 | 3.13) return ;; esac
    done
    lacks "no other Python from 3.9 to 3.13 is here: name some in SANDGLASS_TEST_PYTHONS"
}

look_root() { needs_root "this"; }

look_runtime() {
    python=${SANDGLASS_PYTHON:-${XDG_DATA_HOME:-$HOME/.local/share}/sandglass/python}/bin/python3
    [ -x "$python" ] || lacks "there is no $python: packaging/runtime/make-venv.sh"
    try "$python" -I -c 'import numpy, pandas, matplotlib, pyarrow, cloudpickle'
}

look_shells() {
    has zsh zsh
    has fish fish
    has groff groff-base
}

look_small_disk() {
    needs_root "mounting a small disk"
    try unshare --mount mount -t tmpfs -o size=64k tmpfs /mnt
}

look_tls() {
    needs_root "starting a Docker Engine"
    has dockerd docker.io
    has openssl openssl
}

look_window() {
    has Xvfb xvfb
    has dbus-run-session dbus
    has openbox openbox
    has xdotool xdotool
    has import imagemagick
    try /usr/bin/python3 -c 'import pyatspi'
}

if ! command -v "look_${1:-}" >/dev/null; then
    echo "error: '${1:-}' is no part of tests/support/parts.txt" >&2
    exit 2
fi
"look_$1"
