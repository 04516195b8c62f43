#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET…]: see packaging/gates/fuzz.sh.
exec "$(dirname "$0")/gates/fuzz.sh" "$@"
