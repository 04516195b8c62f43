# Installs moto, an S3 server of other people's, with which tests compare, in its own virtual environment. Sourced; sets SG_S3_PYTHON.

. packaging/setup/venv.sh
s3_folder=${SG_S3:-${XDG_CACHE_HOME:-$HOME/.cache}/sandglass/s3}
if own_venv "$s3_folder" tests/app/buckets/requirements.txt "moto"; then
    export SG_S3_PYTHON=$s3_folder/bin/python
fi
