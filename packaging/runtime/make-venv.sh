#!/usr/bin/env bash
# make-venv.sh [--check] [FOLDER]
# Makes the Python of bubblewrap sandboxes: a virtual environment of the system's Python with the pinned packages. Default
# folder: $XDG_DATA_HOME/sandglass/python. It is built in a temporary folder and renamed, so that it is complete or absent.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
check=''
if [ "${1:-}" = --check ]; then check=1; shift; fi
home=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
target=${1:-${SANDGLASS_PYTHON:-${XDG_DATA_HOME:-$home/.local/share}/sandglass/python}}
python=/usr/bin/python3
[ -x "$python" ] || { echo "error: $python is missing. Install it: apt install python3 python3-venv" >&2; exit 6; }
wanted=$( { sha256sum <"$here/requirements.txt"; "$python" --version; } | sha256sum | cut -c1-16)

if [ -x "$target/bin/python3" ] && [ "$(cat "$target/sandglass-runtime" 2>/dev/null)" = "$wanted" ]; then
    [ -z "$check" ] || echo "$target: up to date ($wanted)"
    exit 0
fi
if [ -n "$check" ]; then
    echo "$target: missing or out of date. Build it: sandglass image build --backend bubblewrap" >&2
    exit 1
fi

echo "Preparing the Python of local sandboxes in $target (once, about 30 s) …"
mkdir -p "$(dirname "$target")" && new=$(mktemp -d "$(dirname "$target")/.python.XXXXXX") || {
    echo "error: $(dirname "$target") cannot be written. Set XDG_DATA_HOME or SANDGLASS_PYTHON to a folder that can be." >&2
    exit 1
}
trap 'rm -rf "$new"' EXIT
"$python" -m venv --without-pip "$new/venv"
# pip comes from a temporary environment, so that the sandbox's has none.
"$python" -m venv "$new/tool"
"$new/tool/bin/pip" --disable-pip-version-check install --progress-bar off --no-deps --only-binary=:all: --no-compile \
    --target "$new/venv/lib/python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')/site-packages" \
    -r "$here/requirements.txt" || {
    echo "error: the packages of $here/requirements.txt could not be installed (see above). Nothing was changed." >&2
    exit 1
}
"$new/venv/bin/python3" -m compileall -q -j 2 "$new/venv/lib" >/dev/null 2>&1 || true
"$new/venv/bin/python3" -I -c 'import pandas, numpy, matplotlib, pyarrow, cloudpickle, pydantic, openpyxl, tqdm'
printf '%s\n' "$wanted" >"$new/venv/sandglass-runtime"
chmod -R go+rX "$new/venv"
rm -rf "$target"
mv "$new/venv" "$target"
