# Sets SG_REQUIRE to what packaging/test.sh has installed or started: its tests must not be skipped (tests/support/parts.txt).
# Sourced after the runtimes were made; SG_REQUIRE may be set beforehand, also to an empty value.

parts_required() {
    printf '%s' bubblewrap,runtime,langgraph,mcp,s3,e2b,redis,postgres,dbus,dot,git,keyring,shells
    [ -z "${SG_E2B_JS:-}" ] || printf ',e2b_js'
    # Only root can start an engine for the tests, and make small disks.
    if [ "$(id -u)" -eq 0 ]; then
        printf ',root,docker,tls'
        ! tests/support/machine.sh small_disk >/dev/null || printf ',small_disk'
        ! tests/support/machine.sh cgroup >/dev/null || printf ',cgroup'
    elif docker version >/dev/null 2>&1; then
        printf ',docker'
    fi
    printf ',window'
}

export SG_REQUIRE=${SG_REQUIRE-$(parts_required)}
echo "A test that lacks one of these fails (SG_REQUIRE): ${SG_REQUIRE:-none}."
