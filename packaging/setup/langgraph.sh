# Installs the real LangGraph, with which tests compare, in its own virtual environment. Sourced; sets SG_LANGGRAPH_PYTHON.

langgraph_folder=${SG_LANGGRAPH:-${XDG_CACHE_HOME:-$HOME/.cache}/sandglass/langgraph}
langgraph_pins=tests/conformance/engine/requirements.txt
if [ -f "$langgraph_pins" ]; then
    langgraph_wanted=$(sha256sum <"$langgraph_pins" | cut -c1-16)
    if [ "$(cat "$langgraph_folder/pins" 2>/dev/null)" != "$langgraph_wanted" ]; then
        rm -rf "$langgraph_folder"
        mkdir -p "$(dirname "$langgraph_folder")"
        /usr/bin/python3 -m venv "$langgraph_folder"
        if "$langgraph_folder/bin/pip" --disable-pip-version-check install --quiet -r "$langgraph_pins"; then
            echo "$langgraph_wanted" >"$langgraph_folder/pins"
        else
            echo "LangGraph could not be installed: tests that compare with it are skipped." >&2
        fi
    fi
    [ -f "$langgraph_folder/pins" ] && export SG_LANGGRAPH_PYTHON=$langgraph_folder/bin/python
fi
true
