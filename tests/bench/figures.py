"""Every figure beside its goal and beside what was last kept. Called by figures.sh, which builds what is measured.

figures.sh [OPTION…] [GROUP…]
  GROUP         what figures' names begin with, up to a dot: engine, window.history, sessions.docker.cells; without one: all
  --rounds N    every bench so often (3), in turn; medians are shown
  --json FILE   writes it all as JSON, too
  --keep        writes the medians to goals.json as the new last kept; refused while the machine is busy, unless --busy is given
  --strict      ends with 1 where a figure misses its goal or is marked WORSE: by more than 20 % than the last kept one
  --list        names the figures with their goals, and measures nothing
  --no-build    takes the benches as they are
Ends with 1 where a bench failed or a figure has no line in goals.json, whatever the options.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys

import goals
import measuring

GOALS = os.path.join(measuring.HERE, "goals.json")
WIDTH = 120


def number(value):
    """Three digits that say something; whole numbers above."""
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{float(f'{value:.3g}'):g}"


def amount(value, unit):
    return f"{number(value)} {unit}"


def bound(row):
    return "-" if row["goal"] is None else f"{'<=' if row['better'] == 'less' else '>='} {number(row['goal'])}"


def judged(row, results):
    """One figure as it stands in the JSON."""
    name = row["id"]
    told = {key: row[key] for key in ("id", "unit", "goal", "better", "what", "kept")}
    if name not in results.values:
        reason, is_failure = results.reason(name)
        return dict(told, value=None, failed=is_failure, not_measured=reason)
    value = results.median(name)
    return dict(told, value=value, runs=results.values[name], met=goals.is_met(row, value), change=goals.change(row, value),
                worse=goals.is_worse(row, value))


def cut(text):
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def line(figure):
    start = f"{figure['id']:<49} "
    if figure["value"] is None:
        return cut(f"{start}{'FAILED' if figure['failed'] else 'not measured'}: {figure['not_measured']}")
    kept = "-" if not figure["kept"] else number(figure["kept"]["value"])
    change = "" if figure["change"] is None else f"{figure['change'] * 100:+.0f} %"
    marks = [{True: "met", False: "MISSED", None: ""}[figure["met"]], "WORSE" if figure["worse"] else ""]
    return cut(f"{start}{amount(figure['value'], figure['unit']):>20} {bound(figure):>12} {kept:>10} {change:>9}  "
               f"{' '.join(filter(None, marks))}".rstrip())


HEAD = f"{'figure':<49} {'measured':>20} {'goal':>12} {'last kept':>10} {'worse by':>9}"


def summary(figures):
    count = lambda holds: sum(1 for each in figures if holds(each))  # noqa: E731
    return (f"{count(lambda f: f.get('met') is True)} met, {count(lambda f: f.get('met') is False)} missed, "
            f"{count(lambda f: f.get('worse'))} worse than kept by more than {goals.WORSE:.0%}, "
            f"{count(lambda f: f['value'] is None and not f['failed'])} not measured, "
            f"{count(lambda f: f['value'] is None and f['failed'])} failed")


def git(*words):
    done = subprocess.run(["git", "-C", measuring.ROOT, *words], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def commit():
    """Of the sources that were measured; + where they were changed since."""
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def unknown_groups(wanted, figures, benches):
    return [group for group in wanted if not any(measuring.begins_with(name, group) for name in figures)
            and not any(measuring.begins_with(each.ids, group) for each in benches)]


def measure_all(benches, options, binaries):
    results = measuring.Results()
    for turn in range(options.rounds):
        for bench in benches:
            if sys.stderr.isatty():
                print(f"\r\033[Kround {turn + 1} of {options.rounds}: {bench.ids}", end="", file=sys.stderr, flush=True)
            measuring.measure(bench, binaries, results)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return results


def report(figures, results, known):
    print(HEAD)
    for figure in figures:
        print(line(figure))
    strangers = sorted(set(results.values) - set(known))
    for name in strangers:
        print(cut(f"{name:<49} {amount(results.median(name), results.units[name]):>20}  no line in goals.json: add one"))
    print(summary(figures))
    for ids, reason in {**results.unmeasured, **results.failed}.items():
        print(f"{'failed' if ids in results.failed else 'not measured'}: {ids}: {reason}")
    return strangers


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="figures.sh", usage="figures.sh [OPTION…] [GROUP…]; --help tells more", add_help=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json")
    for switch in ("--keep", "--busy", "--strict", "--list", "--no-build"):
        parser.add_argument(switch, action="store_true")
    parser.add_argument("--build", default=os.path.join(measuring.ROOT, "build/release"))
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error("--rounds is at least 1")
    return options


def main(arguments, path=GOALS, benches=None):
    options = parsed(arguments)
    if options.help:
        print(__doc__)
        return 0
    try:
        known = goals.load(path)
    except goals.GoalsError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    benches = measuring.all_benches() if benches is None else benches
    unknown = unknown_groups(options.groups, known, benches)
    if unknown:
        print(f"error: no figure's name begins with {', '.join(unknown)}. See tests/bench/figures.sh --list.", file=sys.stderr)
        return 2
    rows = [row for row in known.values() if not options.groups or any(measuring.begins_with(row["id"], each) for each in options.groups)]
    if options.list:
        for row in rows:
            print(f"{row['id']:<49} {bound(row) + ' ' + row['unit']:<16} {row['what']}")
        return 0
    load = os.getloadavg()[0]
    if options.keep and load > (os.cpu_count() or 1) / 2 and not options.busy:
        print(f"error: others compute here (load {load:.1f}): what is kept now would be wrong. Wait, or give --busy.", file=sys.stderr)
        return 2
    results = measure_all(measuring.chosen(benches, options.groups), options, os.path.join(options.build, "bin"))
    figures = [judged(row, results) for row in rows]
    date, source = datetime.date.today().isoformat(), commit()
    print(f"{source}, {date}: {os.cpu_count()} processors, load {load:.1f} at first; medians of {options.rounds} rounds")
    strangers = report(figures, results, known)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"commit": source, "date": date, "processors": os.cpu_count(), "load": load, "rounds": options.rounds,
                       "figures": figures, "without_a_line": {name: results.values[name] for name in strangers},
                       "failed": results.failed}, file, indent=1, ensure_ascii=False)
    if options.keep:
        goals.save(path, goals.keep(known, {each["id"]: each["value"] for each in figures if each["value"] is not None}, date, source))
    if strangers or results.failed or any(each["value"] is None and each["failed"] for each in figures):
        return 1
    return int(options.strict and any(each.get("met") is False or each.get("worse") for each in figures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
