#!/bin/sh
# offline.sh COMMAND…: runs it where only the loopback interface exists, and fails where the network cannot be cut off.
set -eu
# shellcheck disable=SC2016
as_root='ip link set lo up && exec "$@"'
# An ordinary user has the rights of root in a place of its own alone, and only until the command begins.
# shellcheck disable=SC2016
as_user='ip link set lo up && exec setpriv --inh-caps -all --ambient-caps -all "$@"'
if [ "$(id -u)" -eq 0 ]; then
    set -- --net sh -c "$as_root" sh "$@"
else
    set -- --user --map-current-user --keep-caps --net sh -c "$as_user" sh "$@"
fi
case $1 in
    --net) told=$(unshare --net true 2>&1) ;;
    *) told=$(unshare --user --map-current-user --keep-caps --net ip link set lo up 2>&1) ;;
esac || {
    echo "error: the network cannot be cut off from this test: $told. Run it as root, or allow user namespaces." >&2
    exit 1
}
exec unshare "$@"
