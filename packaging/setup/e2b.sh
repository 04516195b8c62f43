# Installs E2B's official SDK, with which tests compare, in its own virtual environment. Sourced; sets SG_E2B_PYTHON.

e2b_folder=${SG_E2B:-${XDG_CACHE_HOME:-$HOME/.cache}/sandglass/e2b}
e2b_pins=tests/conformance/e2b/requirements.txt
if [ -f "$e2b_pins" ]; then
    e2b_wanted=$(sha256sum <"$e2b_pins" | cut -c1-16)
    if [ "$(cat "$e2b_folder/pins" 2>/dev/null)" != "$e2b_wanted" ]; then
        rm -rf "$e2b_folder"
        mkdir -p "$(dirname "$e2b_folder")"
        /usr/bin/python3 -m venv "$e2b_folder"
        if "$e2b_folder/bin/pip" --disable-pip-version-check install --quiet -r "$e2b_pins"; then
            echo "$e2b_wanted" >"$e2b_folder/pins"
        else
            echo "E2B's SDK could not be installed: tests that compare with it are skipped." >&2
        fi
    fi
    [ -f "$e2b_folder/pins" ] && export SG_E2B_PYTHON=$e2b_folder/bin/python
fi
true
