#!/usr/bin/env bash
# lint.sh [--changed | --slice NUMBER]
# clang-format and clang-tidy over the project's C++, shellcheck over its shell scripts, py_compile over its Python. Without an
# option: all. --changed: what the branch or else the last commit changed, and what is not committed;
# --slice: a tenth, which one, the number says.
# SG_LINT_SECONDS bounds the part of clang-tidy: what is not looked at then is said.
. "$(dirname "$0")/gate.sh"
install_packages "$packages_to_build" "$packages_to_test" "$packages_to_lint"

slice=(--slice 0/1)
all() { git ls-files --cached --others --exclude-standard; }
case ${1:-} in
'') files=$(all) ;;
--slice)
    files=$(all)
    slice=(--slice "$(($2 % 10))/10")
    ;;
--changed)
    before=$(git merge-base HEAD main 2>/dev/null || true)
    [ -n "$before" ] && [ "$before" != "$(git rev-parse HEAD)" ] || before=$(git rev-parse --verify --quiet HEAD~1) || {
        before=HEAD
        note "the clone has no commit before the last: what that changed is not looked at"
    }
    files=$(git diff --name-only --diff-filter=d "$before"; git ls-files --others --exclude-standard)
    ;;
*) sed -n '2,6s/^# //p' "$0" >&2; exit 2 ;;
esac
# A removed file is still listed until its removal is committed.
of_kind() { grep -E "$1" <<<"$files" | while read -r file; do [ ! -f "$file" ] || echo "$file"; done; }
mapfile -t cpp < <(of_kind '\.(cpp|h)$')
mapfile -t shell < <(of_kind '\.sh$|^\.ci/run$')
mapfile -t python < <(of_kind '\.py$' | grep -v '^core/exchange/python/') # those are templates

failed=''
if [ ${#cpp[@]} -gt 0 ]; then
    printf '%s\0' "${cpp[@]}" | xargs -0 -n 50 -P "$(nproc)" clang-format-14 --dry-run -Werror || failed="$failed clang-format"
fi
if [ ${#shell[@]} -gt 0 ]; then
    # Variables are shared between sourced files, and all of them are bash with set -e.
    shellcheck --shell=bash --severity=warning --exclude=SC2034,SC2154,SC2164 "${shell[@]}" || failed="$failed shellcheck"
fi
if [ ${#python[@]} -gt 0 ]; then
    # The bytecode goes to a temporary folder, so nothing is written next to the sources.
    PYTHONPYCACHEPREFIX=$(mktemp -d) python3 -m py_compile "${python[@]}" || failed="$failed py_compile"
fi
echo "clang-format: ${#cpp[@]} files, shellcheck: ${#shell[@]}, py_compile: ${#python[@]}"
mapfile -t sources < <(printf '%s\n' "${cpp[@]}" | grep -E '^(core|ui|app|tests|resources)/')
if [ ${#sources[@]} -gt 0 ]; then
    mkdir -p build/lint
    cmake --preset lint >build/lint/configure.log 2>&1 || { cat build/lint/configure.log >&2; exit 1; }
    [ "${1:-}" = --changed ] || sources=()
    python3 packaging/gates/tidy.py --seconds "${SG_LINT_SECONDS:-0}" "${slice[@]}" "${sources[@]}" || failed="$failed clang-tidy"
fi
[ -z "$failed" ] || { echo "error: findings by$failed, see above" >&2; exit 1; }
