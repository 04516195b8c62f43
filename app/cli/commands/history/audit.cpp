#include "app/cli/commands/commands.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/project_option.h"
#include "core/audit/audit_log.h"

#include <chrono>
#include <cstdio>
#include <memory>

namespace sg::cli {
namespace {

constexpr std::chrono::milliseconds kLookAgain{ 200 };
constexpr std::int64_t kPage = 1000;

struct Arguments {
    PlaceOption place;
    std::string thread;
    std::string kind;
    std::int64_t after = 0;
    std::int64_t last = 0;
    bool follow = false;
    bool verify = false;
};

std::string lineOf(const audit::AuditEntry& entry)
{
    std::string line = entry.time + "  " + padded(entry.kind.text(), 8) + "  "
        + padded(entry.outcome.text(), 8) + "  " + entry.thread.value;
    if (!entry.agent.empty())
        line += '/' + entry.agent;
    line += "  " + entry.subject;
    const std::string reason = entry.details.stringOr("reason", entry.details.stringOr("error", ""));
    if (!reason.empty())
        line += "  (" + reason + ')';
    const std::int64_t times = entry.details.intOr("times", 1);
    return times > 1 ? line + "  " + std::to_string(times) + " times" : line;
}

void print(const std::vector<audit::AuditEntry>& rows, const Output& out)
{
    for (const audit::AuditEntry& row : rows) {
        if (out.json)
            out.line(audit::auditDocument(row));
        else
            out.text(lineOf(row));
    }
}

int verify(audit::AuditLog& log, const Output& out)
{
    const auto rows = log.verify();
    if (!rows)
        return out.fail(rows.error());
    if (out.json)
        out.document(Value::map({ { "rows", *rows }, { "whole", true } }));
    out.text(counted(*rows, "row") + ", each as it was written");
    return Done;
}

// Prints all pages, then new rows until it is stopped.
int show(audit::AuditLog& log, const Arguments& arguments, const Output& out)
{
    InterruptWatch interrupt;
    const std::stop_token stop = interrupt.begin();
    audit::AuditFilter filter;
    filter.after = arguments.after;
    filter.limit = kPage;
    if (!arguments.thread.empty())
        filter.thread = ThreadId(arguments.thread);
    if (!arguments.kind.empty())
        filter.kind = arguments.kind;
    if (arguments.last > 0) {
        filter.newest = true;
        filter.limit = arguments.last;
    }
    const SystemClock clock;
    while (!stop.stop_requested()) {
        const auto rows = log.read(filter);
        if (!rows)
            return out.fail(rows.error());
        print(*rows, out);
        std::fflush(stdout);
        if (!rows->empty())
            filter.after = rows->back().sequence;
        const bool isMore = !filter.newest && static_cast<std::int64_t>(rows->size()) == filter.limit;
        filter.newest = false;
        filter.limit = kPage;
        if (!isMore && !arguments.follow)
            return Done;
        if (!isMore)
            clock.sleep(kLookAgain);
    }
    return Done;
}

int run(const Arguments& arguments, const Output& out)
{
    auto located = arguments.place.locate();
    if (!located)
        return out.fail(located.error());
    auto log = audit::openAudit(located->audit, located->folder, arguments.follow);
    if (!log)
        return out.fail(log.error());
    return arguments.verify ? verify(**log, out) : show(**log, arguments, out);
}

} // namespace

void addAudit(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add(
        "audit", "what happened, and for whom: sessions, cells, datasets, artifacts, secrets, network");
    verb.option("--project", arguments->place.project,
                "project folder (default: the current one or above it)");
    verb.option("--thread", arguments->thread, "of this thread alone");
    verb.option("--kind", arguments->kind, "of this kind alone")
        .oneOf({ "session", "cell", "dataset", "artifact", "secret", "egress", "terminal", "layer", "mcp",
                 "network", "tool" });
    verb.option("--after", arguments->after, "only rows behind this number (\"seq\")")
        .within(std::int64_t{ 0 }, std::int64_t{ 1 } << 53);
    verb.option("--last", arguments->last, "only the newest so many").within(1, 1'000'000);
    verb.flag("-f,--follow", arguments->follow, "go on with what comes, until Ctrl+C");
    verb.flag("--verify", arguments->verify,
              "check that no row was changed or removed (not by who may write the file and knows how: keep "
              "exports elsewhere for that)");
    verb.footer("With --json: one row a line, for export.");
    verb.onRun([arguments, &shell] { shell.exit = run(*arguments, shell.out); });
}

} // namespace sg::cli
