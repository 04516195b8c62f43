# install_packages LIST…: prints which packages are missing and why, then installs them with apt. Sourced.

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "error: installing packages needs root, and sudo is not there. Run as root: $*" >&2
        exit 1
    fi
}

install_packages() {
    local wanted missing='' package reason
    wanted=$(printf '%s\n' "$@" | sed '/^$/d')
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${binary:Package}\n' 2>/dev/null | sed -n 's/^ii  *\([^:]*\).*/\1/p')
    while read -r package reason; do
        if ! grep -qxF "$package" <<<"$installed"; then
            [ -n "$missing" ] || echo "These Debian packages are missing and will be installed:"
            printf '  %-24s %s\n' "$package" "$reason"
            missing="$missing $package"
        fi
    done <<<"$wanted"
    [ -n "$missing" ] || return 0
    as_root apt-get update -qq
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
        echo "error: apt could not install:$missing. See the message above; is the package source reachable?" >&2
        exit 1
    }
}

# Where Sandglass runs as root, sandboxes have this account's group, and its user where they cannot get user ids of their own.
ensure_account() {
    [ "$(id -u)" -eq 0 ] || return 0
    getent passwd sandglass >/dev/null && return 0
    echo "Adding the system account 'sandglass': sandboxes run with its group, never as root."
    useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin sandglass
}
