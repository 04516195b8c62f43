# Installs the official SDK of the Model Context Protocol, with which tests compare, in its own virtual environment. Sourced; sets
# SG_MCP_PYTHON.

mcp_folder=${SG_MCP:-${XDG_CACHE_HOME:-$HOME/.cache}/sandglass/mcp}
mcp_pins=tests/conformance/mcp/requirements.txt
if [ -f "$mcp_pins" ]; then
    mcp_wanted=$(sha256sum <"$mcp_pins" | cut -c1-16)
    if [ "$(cat "$mcp_folder/pins" 2>/dev/null)" != "$mcp_wanted" ]; then
        rm -rf "$mcp_folder"
        mkdir -p "$(dirname "$mcp_folder")"
        /usr/bin/python3 -m venv "$mcp_folder"
        if "$mcp_folder/bin/pip" --disable-pip-version-check install --quiet -r "$mcp_pins"; then
            echo "$mcp_wanted" >"$mcp_folder/pins"
        else
            echo "The MCP SDK could not be installed: tests that compare with it are skipped." >&2
        fi
    fi
    [ -f "$mcp_folder/pins" ] && export SG_MCP_PYTHON=$mcp_folder/bin/python
fi
true
