# Installs the official SDK of the Model Context Protocol, with which tests compare, in its own virtual environment. Sourced; sets
# SG_MCP_PYTHON.

. packaging/setup/venv.sh
mcp_folder=${SG_MCP:-${XDG_CACHE_HOME:-$HOME/.cache}/sandglass/mcp}
if own_venv "$mcp_folder" tests/conformance/mcp/requirements.txt "The MCP SDK"; then
    export SG_MCP_PYTHON=$mcp_folder/bin/python
fi
