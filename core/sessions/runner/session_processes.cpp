#include "core/sessions/runner/session_processes.h"

#include "core/base/redaction.h"
#include "core/sessions/runner/runner_link.h"

#include <algorithm>

namespace sg::sessions {
namespace {

constexpr Millis kListAnswerTime{ 3000 };
constexpr std::int64_t kMostProcesses = 200;
constexpr std::size_t kMostCommandText = 1000;

} // namespace

Result<ProcessList> listProcesses(RunnerLink& link)
{
    ValueMap request;
    request.set("op", "processes");
    request.set("limit", kMostProcesses);
    const auto answer = link.ask(std::move(request), "processes", kListAnswerTime);
    if (!answer)
        return answer.error();
    const Value body = valueWithoutSecrets(answer->body); // a secret may be an argument
    const Value& rows = body["processes"];
    if (!rows.isList())
        return Error{ Errc::Corrupt,
                      "the session's runner broke the protocol: a list of processes that is none" };
    ProcessList list;
    for (const Value& row : rows.asList()) {
        if (static_cast<std::int64_t>(list.processes.size()) >= kMostProcesses)
            break;
        SessionProcess process;
        process.pid = row.intOr("pid", 0);
        process.parent = row.intOr("parent", 0);
        process.state = row.stringOr("state", "").substr(0, 1);
        if (const Value& cpu = row["cpu_seconds"]; cpu.isDouble())
            process.cpuSeconds = std::max(0.0, cpu.asDouble());
        process.memoryBytes = std::max<std::int64_t>(0, row.intOr("rss", 0));
        process.threads = row.intOr("threads", 0);
        process.command = row.stringOr("command", "").substr(0, kMostCommandText);
        list.processes.push_back(std::move(process));
    }
    list.total =
        std::max<std::int64_t>(body.intOr("total", 0), static_cast<std::int64_t>(list.processes.size()));
    return list;
}

} // namespace sg::sessions
