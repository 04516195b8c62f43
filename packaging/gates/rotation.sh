#!/usr/bin/env bash
# rotation.sh [NUMBER]
# One heavy part, chosen by the NUMBER (how many commits there are), for at most SG_GATE_SECONDS (480): over as many commits each of
# them has its turn. Where the time is over it is ended, which is no failure as long as nothing was found. Soak, Podman and the
# clean root have no turn: they take longer, and change this machine.
. "$(dirname "$0")/gate.sh"
bound=${SG_GATE_SECONDS:-480}
number=${1:-}
if [ -z "$number" ]; then
    # A shallow clone does not know the number of commits, so its last commit's name is used instead.
    if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
        number=$((0x$(git rev-parse HEAD | cut -c1-6)))
    else
        number=$(git rev-list --count HEAD)
    fi
fi
[[ $number =~ ^[0-9]+$ ]] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
turn=$((number / 9))
mapfile -t targets < <(cd tests/fuzz/corpus && printf '%s\n' *)
fuzzed=$((2 * turn % ${#targets[@]}))
export SG_LINT_SECONDS=$((bound - 60))
case $((number % 9)) in
0) part=(sanitizer.sh asan "$turn") ;;
1) part=(lint.sh --slice "$turn") ;;
2) part=(fuzz.sh $((bound / 4)) "${targets[$fuzzed]}" "${targets[$(((fuzzed + 1) % ${#targets[@]}))]}") ;;
3) part=(sanitizer.sh tsan "$turn") ;;
4) part=(kills.sh 40) ;;
5) part=(install.sh) ;;
6) part=(no_ui.sh) ;;
7) part=(pools.sh 2000 200) ;;
8) part=(benches.sh) ;;
esac
echo "Part in turn $number: ${part[*]} (packaging/gates/rotation.sh $number repeats it)"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
code=0
timeout --kill-after=30 "$bound" "packaging/gates/${part[0]}" "${part[@]:1}" 2>&1 | tee "$log" || code=${PIPESTATUS[0]}
if [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
    # Findings printed before the time limit count.
    if grep -qE '\*\*\*(Failed|Exception|Timeout)|ERROR: (Address|Leak)Sanitizer|WARNING: ThreadSanitizer|runtime error:|^FAIL!|^error: |: error: ' "$log"; then
        exit 1
    fi
    note "stopped after $((bound / 60)) min, so far no finding"
    exit 0
fi
exit "$code"
