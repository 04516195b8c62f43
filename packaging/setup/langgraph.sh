# Installs the real LangGraph, with which tests compare, in its own virtual environment. Sourced; sets SG_LANGGRAPH_PYTHON.

. packaging/setup/venv.sh
langgraph_folder=${SG_LANGGRAPH:-${XDG_CACHE_HOME:-$HOME/.cache}/sandglass/langgraph}
if own_venv "$langgraph_folder" tests/conformance/engine/requirements.txt LangGraph; then
    export SG_LANGGRAPH_PYTHON=$langgraph_folder/bin/python
fi
