#include "app/cli/commands/commands.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/project_option.h"
#include "core/base/clock.h"
#include "core/history/search.h"
#include "core/runs/project_runs.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <variant>

namespace sg::cli {
namespace {

struct Arguments {
    PlaceOption place;
    std::string text;
    std::string thread;
    std::string sql;
    std::size_t limit = 1000;
    double seconds = 10;
};

std::string_view nameOf(query::Kind kind)
{
    switch (kind) {
    case query::Kind::Run: return "run";
    case query::Kind::Checkpoint: return "checkpoint";
    case query::Kind::Task: return "task";
    case query::Kind::Log: return "log";
    }
    return {};
}

std::string timeOf(double milliseconds)
{
    if (std::isnan(milliseconds))
        return {};
    return isoTime(WallTime(std::chrono::duration_cast<WallTime::duration>(
        std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds)))));
}

Value documentOf(const history::SearchHit& hit)
{
    return Value::map({ { "kind", Value(std::string(nameOf(hit.kind))) },
                        { "thread_id", Value(hit.thread.value) },
                        { "checkpoint_ns", Value(hit.ns) },
                        { "checkpoint_id", hit.checkpoint.empty() ? Value() : Value(hit.checkpoint) },
                        { "run_id", hit.run.empty() ? Value() : Value(hit.run) },
                        { "node", hit.node.empty() ? Value() : Value(hit.node) },
                        { "step", hit.step },
                        { "status", hit.status.empty() ? Value() : Value(hit.status) },
                        { "time", Value(timeOf(hit.timeMs)) },
                        { "text", Value(hit.text) } });
}

std::string lineOf(const history::SearchHit& hit)
{
    std::string line = padded(std::string(nameOf(hit.kind)), 10) + "  " + hit.thread.value;
    if (hit.kind == query::Kind::Run)
        line += "  " + counted(hit.step, "superstep");
    else if (hit.kind != query::Kind::Log || hit.step > 0) // a cell's output belongs to no step
        line += "  step " + std::to_string(hit.step);
    const std::string node = runs::shownNode(NodeId(hit.node));
    for (const std::string& part :
         { history::shownPath(hit.ns, node), hit.status, timeOf(hit.timeMs), hit.checkpoint })
        if (!part.empty())
            line += "  " + part;
    const std::size_t begin = std::min(hit.text.find_first_not_of(" \r\n\t"), hit.text.size());
    const std::string first = hit.text.substr(begin, hit.text.find('\n', begin) - begin);
    return first.empty() ? line : line + "  " + first;
}

int find(history::Search& search, const Arguments& arguments, const std::stop_token& stop, const Output& out)
{
    auto parsed = query::parse(arguments.text);
    if (const auto* fault = std::get_if<query::Fault>(&parsed))
        return out.fail(Usage,
                        "the query, at character " + std::to_string(fault->at + 1) + ": " + fault->message);
    std::optional<ThreadId> thread;
    if (!arguments.thread.empty())
        thread = ThreadId(arguments.thread);
    auto answer = search.find(std::get<query::Query>(parsed), thread, arguments.limit, stop);
    if (!answer)
        return out.fail(answer.error());
    if (out.json) {
        ValueList hits;
        for (const history::SearchHit& hit : answer->hits)
            hits.push_back(documentOf(hit));
        out.document(Value::map({ { "found", answer->found }, { "hits", Value(std::move(hits)) } }));
        return Done;
    }
    for (const history::SearchHit& hit : answer->hits)
        out.text(lineOf(hit));
    out.note(std::to_string(answer->found) + " found"
             + (answer->found > static_cast<std::int64_t>(answer->hits.size())
                    ? ", the newest " + std::to_string(answer->hits.size()) + " shown (--limit)"
                    : ""));
    return Done;
}

int ask(history::Search& search, const Arguments& arguments, const std::stop_token& stop, const Output& out)
{
    sqlite::QueryLimits limits;
    limits.rows = arguments.limit;
    limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(arguments.seconds * 1000));
    auto answer = search.sql(arguments.sql, limits, stop);
    if (!answer)
        return out.fail(answer.error());
    const sqlite::QueryTable& table = answer->table;
    if (out.json) {
        ValueList columns;
        for (const std::string& name : table.columns)
            columns.emplace_back(name);
        ValueList rows;
        for (const auto& row : table.rows) {
            ValueList cells;
            for (const sqlite::QueryCell& cell : row)
                cells.push_back(cell.isNull ? Value() : Value(cell.text));
            rows.emplace_back(std::move(cells));
        }
        out.document(Value::map({ { "columns", Value(std::move(columns)) },
                                  { "rows", Value(std::move(rows)) },
                                  { "more", table.isCut } }));
        return Done;
    }
    const auto print = [&out](const auto& cells, const auto& textOf) {
        std::string line;
        for (const auto& cell : cells)
            line += (&cell == &cells.front() ? "" : "\t") + textOf(cell);
        out.text(line);
    };
    print(table.columns, [](const std::string& name) { return name; });
    for (const auto& row : table.rows)
        print(row,
              [](const sqlite::QueryCell& cell) { return cell.isNull ? std::string("NULL") : cell.text; });
    if (table.isCut)
        out.note("there are more rows (--limit)");
    return Done;
}

int run(const Arguments& arguments, const Output& out)
{
    if (arguments.text.empty() == arguments.sql.empty())
        return out.fail(Usage,
                        "say what is looked for: a query such as 'status:failed node:plan step:>100 "
                        "\"timeout\"', or --sql SELECT");
    auto database = arguments.place.openDatabase();
    if (!database)
        return out.fail(database.error());
    const auto asked = arguments.thread.empty() ? std::nullopt : std::optional(ThreadId(arguments.thread));
    if (const auto here = (*database)->store().bringHere(asked); !here)
        return out.fail(here.error());
    InterruptWatch interrupt;
    const std::stop_token stop = interrupt.begin();
    history::Search search((*database)->history(), (*database)->file());
    return arguments.sql.empty() ? find(search, arguments, stop, out) : ask(search, arguments, stop, out);
}

} // namespace

void addQuery(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("query", "find runs, checkpoints, tasks and log lines; or ask the database in SQL");
    verb.footer("A query is words and fields: status:failed node:plan step:>100 \"timeout\" -is:log\n"
                "Fields: is, status, node, thread, run, checkpoint, source, stream, step, attempts, took, "
                "since, before.\n"
                "SQL may read; tables: steps, tasks, runs, log, and the file's own.");
    verb.option("QUERY", arguments->text, "what is looked for");
    arguments->place.add(verb);
    verb.option("--thread", arguments->thread, "in this thread alone");
    verb.option("--sql", arguments->sql, "one SELECT over the database, which it cannot change");
    verb.option("--limit", arguments->limit, "how many are shown (default: 1000)");
    verb.option("--seconds", arguments->seconds, "how long SQL may take (default: 10)").within(0.001, 600.0);
    verb.onRun([arguments, &shell] { shell.exit = run(*arguments, shell.out); });
}

} // namespace sg::cli
