#include "core/base/hash.h"
#include "core/sessions/live/sandbox_session.h"
#include "core/sessions/live/secret_border.h"
#include "core/sessions/runner/live_sandbox.h"

#include <algorithm>
#include <string_view>
#include <utility>

// Secrets on their way into a session, what must not come out of it, and the rows that tell of it.
namespace sg::sessions {
namespace {

constexpr Millis kSecretTime{ 10'000 };

const char* nameOf(CellStatus status)
{
    switch (status) {
    case CellStatus::Ok: return "ok";
    case CellStatus::Error: return "error";
    case CellStatus::Interrupt: return "interrupt";
    case CellStatus::TimedOut: return "timed out";
    case CellStatus::Stopped: return "stopped";
    case CellStatus::Died: return "died";
    }
    return "?";
}

const std::string& sourceOf(const ValueMap& request)
{
    static const std::string kNone;
    const Value* const code = request.find(std::string_view("code"));
    const Value* const source = request.find(std::string_view("source"));
    const Value* const text = code != nullptr ? code : source;
    return text != nullptr && text->isString() ? text->asString() : kNone;
}

} // namespace

audit::AuditEntry SandboxSession::auditEntry(const char* kind, const artifacts::ArtifactOrigin& origin) const
{
    audit::AuditEntry entry;
    entry.kind = kind;
    entry.thread = m_parts.thread;
    entry.run = origin.run;
    entry.agent = origin.node.value;
    entry.session = m_parts.id;
    return entry;
}

// Whoever writes it says that it cannot be written.
void SandboxSession::audit(audit::AuditEntry entry) const
{
    if (m_parts.audit)
        static_cast<void>(m_parts.audit(std::move(entry), AuditWhen::Now));
}

// By the runner: a file in a tmpfs of the sandbox, so it is in no argument, environment, image or folder of
// this machine.
Result<void> SandboxSession::bringSecrets(LiveSandbox& live, const std::stop_token& stop) const
{
    for (const std::string& name : m_parts.spec.secrets) {
        auto secret = m_parts.findSecret
            ? m_parts.findSecret(name, stop)
            : Result<settings::Secret>(Error{ Errc::Unsupported, "secrets are not offered here" });
        if (!secret)
            return std::move(secret.error());
        const auto stored = live.link().ask({ { "op", "put_file" },
                                              { "root", "secrets" },
                                              { "path", name },
                                              { "offset", 0 },
                                              { "data", Bytes{ secret->reveal() } },
                                              { "last", true },
                                              { "mode", 0400 } },
                                            "stored", kSecretTime);
        audit::AuditEntry entry = auditEntry("secret", {});
        entry.subject = name;
        entry.outcome = stored ? "given" : "failed";
        entry.details = Value::map({ { "as", "/run/secrets/" + name } });
        audit(std::move(entry));
        if (!stored)
            return Error(stored.error()).during("bring the secret " + name);
    }
    return {};
}

CellResult SandboxSession::executeClean(Work work, const CellLimits& limits,
                                        const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                                        const std::stop_token& stop)
{
    if (m_parts.spec.secrets.empty() && m_parts.spec.secretHeaders.empty())
        return executeNow(std::move(work), limits, origin, handlers, stop);
    SecretBorder border(handlers);
    CellResult result = executeNow(std::move(work), limits, origin, border.handlers(), stop);
    border.finish(result);
    return result;
}

void SandboxSession::auditDataset(const Value& request, const artifacts::ArtifactOrigin& origin,
                                  const Result<Value>& answer) const
{
    const std::string op = request.stringOr("op", "");
    if (!m_parts.audit || op == "list")
        return;
    audit::AuditEntry entry = auditEntry("dataset", origin);
    entry.subject = op == "export" ? request.stringOr("path", "") : request.stringOr("id", "");
    entry.outcome = answer ? "ok" : "error";
    entry.details = Value::map({ { "op", op } });
    if (answer && (*answer)["bytes"].isInt())
        entry.details.editMap().set("bytes", (*answer)["bytes"]);
    if (!answer)
        entry.details.editMap().set("error", answer.error().message);
    audit(std::move(entry));
}

void SandboxSession::noteTerminal(const char* outcome)
{
    {
        const std::lock_guard lock(m_mutex);
        const bool isOpened = std::string_view(outcome) == "opened";
        m_terminals = std::max(0, m_terminals + (isOpened ? 1 : -1));
        m_hadTerminal = m_hadTerminal || isOpened;
    }
    audit::AuditEntry entry = auditEntry("terminal", {});
    entry.subject = m_parts.id.value;
    entry.outcome = outcome;
    audit(std::move(entry));
}

// Rows of cells are not on their way: the first is written while the code runs. One that never ends, or ends
// with this program, has been told of all the same.
SandboxSession::AuditedCell SandboxSession::auditCellStart(const ValueMap& request,
                                                           const artifacts::ArtifactOrigin& origin) const
{
    if (!m_parts.audit)
        return {};
    const std::string& source = sourceOf(request);
    AuditedCell cell{ sha256Hex(source), source.size() };
    audit::AuditEntry entry = auditEntry("cell", origin);
    entry.subject = cell.hash;
    entry.outcome = "started";
    entry.details = Value::map({ { "bytes", cell.bytes } });
    static_cast<void>(m_parts.audit(std::move(entry), AuditWhen::Soon));
    return cell;
}

void SandboxSession::auditCell(const AuditedCell& cell, const artifacts::ArtifactOrigin& origin,
                               const CellResult& result) const
{
    if (!m_parts.audit)
        return;
    audit::AuditEntry entry = auditEntry("cell", origin);
    entry.subject = cell.hash;
    entry.outcome = nameOf(result.status);
    entry.details = Value::map({ { "bytes", cell.bytes }, { "seconds", result.seconds } });
    if (result.error)
        entry.details.editMap().set("error", result.error->type);
    if (result.droppedBytes > 0)
        entry.details.editMap().set("dropped_bytes", result.droppedBytes);
    static_cast<void>(m_parts.audit(std::move(entry), AuditWhen::Soon));
    for (const artifacts::Artifact& artifact : result.artifacts) {
        audit::AuditEntry row = auditEntry("artifact", origin);
        row.subject = artifact.id.value;
        row.outcome = "stored";
        row.details = Value::map(
            { { "path", artifact.path }, { "sha256", artifact.sha256 }, { "bytes", artifact.size } });
        static_cast<void>(m_parts.audit(std::move(row), AuditWhen::Soon));
    }
}

} // namespace sg::sessions
