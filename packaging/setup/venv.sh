# Sourced. own_venv FOLDER PINS WHAT makes a virtual environment with the packages that the file PINS names, anew where they have changed.
# It fails where PINS is not there or WHAT could not be installed.

own_venv() {
    [ -f "$2" ] || return 1
    venv_wanted=$(sha256sum <"$2" | cut -c1-16)
    if [ "$(cat "$1/pins" 2>/dev/null)" != "$venv_wanted" ]; then
        rm -rf "$1"
        mkdir -p "$(dirname "$1")"
        /usr/bin/python3 -m venv "$1"
        if "$1/bin/pip" --disable-pip-version-check install --quiet -r "$2"; then
            echo "$venv_wanted" >"$1/pins"
        else
            echo "$3 could not be installed: tests that compare with it are skipped." >&2
        fi
    fi
    [ -f "$1/pins" ]
}
