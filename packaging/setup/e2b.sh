# Installs E2B's official SDK and a checker of Kubernetes' schemas, with which tests compare, in a virtual environment of their own.
# Sourced; sets SG_E2B_PYTHON.

. packaging/setup/venv.sh
e2b_folder=${SG_E2B:-${XDG_CACHE_HOME:-$HOME/.cache}/sandglass/e2b}
if own_venv "$e2b_folder" tests/conformance/e2b/requirements.txt "E2B's SDK"; then
    export SG_E2B_PYTHON=$e2b_folder/bin/python
fi
