#include "core/servers/e2b/contexts.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/sessions/runner/extra_interpreter.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sg::servers::e2b {
namespace {

using sessions::CellResult;
using sessions::CellStatus;

constexpr std::chrono::hours kLongest{ 24 }; // a client's time is over when it goes away
constexpr std::size_t kMostPath = 4096;

std::string literal(const std::string& text)
{
    return toJson(Value(text));
}

// Code that sets the variables of one execution, and code that puts back what was there.
std::pair<std::string, std::string> environmentCode(const Value& variables)
{
    return {
        "import json as _sg_json, os as _sg_os\n_sg_set = _sg_json.loads(" + literal(toJson(variables))
            + ")\n_sg_before = {k: _sg_os.environ.get(k) for k in _sg_set}\n_sg_os.environ.update(_sg_set)\n",
        "for _sg_k, _sg_v in _sg_before.items():\n    _sg_os.environ.pop(_sg_k, None) if _sg_v is None else "
        "_sg_os.environ.__setitem__(_sg_k, _sg_v)\ndel _sg_json, _sg_os, _sg_set, _sg_before\n"
    };
}

std::string readyCode(const Value& environment, const std::string& cwd)
{
    std::string code = "import os as _sg_os, json as _sg_json, sandglass_runner.display as _sg_display\n"
                       "_sg_display.serves_e2b = True\n";
    if (environment.isMap() && environment.asMap().size() > 0)
        code += "_sg_os.environ.update(_sg_json.loads(" + literal(toJson(environment)) + "))\n";
    if (!cwd.empty()) {
        const std::string home = "/home/user";
        code += "_sg_to = _sg_json.loads(" + literal(literal(cwd)) + ")\n" + "if (_sg_to + '/').startswith('"
            + home + "/') and not _sg_os.path.isdir('" + home + "'):\n" + "    _sg_to = _sg_to["
            + std::to_string(home.size()) + ":].lstrip('/')\n"
            + "_sg_os.chdir(_sg_os.path.join(_sg_os.path.expanduser('~'), _sg_to))\ndel _sg_to\n";
    }
    return code + "del _sg_os, _sg_json, _sg_display\n";
}

CellResult failedOf(CellStatus status, const Error& why)
{
    CellResult result;
    result.status = status;
    result.error =
        sessions::CellError{ status == CellStatus::Stopped ? "Stopped" : "InterpreterDied", why.message };
    return result;
}

} // namespace

Context::Context(std::string id, std::string cwd, Value environment)
    : m_id(std::move(id))
    , m_cwd(std::move(cwd))
    , m_environment(std::move(environment))
{
}

Context::~Context() = default;

Value Context::value() const
{
    return Value::map(
        { { "id", m_id }, { "language", "python" }, { "cwd", m_cwd.empty() ? "/home/user" : m_cwd } });
}

// Returns the stop token of one turn. Its stop is requested at once where the context was removed.
std::stop_token Context::begin()
{
    const std::lock_guard lock(m_mutex);
    m_running = std::stop_source();
    if (m_isHalted)
        m_running.request_stop();
    return m_running.get_token();
}

// The session's own interpreter is null.
Result<Context::Interpreter> Context::interpreter(sessions::Session& session)
{
    if (m_id == kOwnContext)
        return Interpreter();
    {
        const std::lock_guard lock(m_mutex);
        if (m_extra && !m_extra->isOver())
            return m_extra;
    }
    auto started = sessions::ExtraInterpreter::start(session, m_environment);
    if (!started)
        return std::move(started.error());
    const std::lock_guard lock(m_mutex);
    if (m_isHalted)
        return Error{ Errc::Cancelled, "the context was removed" };
    m_isReady = false;
    m_executions = 0;
    m_extra = *started;
    return started;
}

CellResult Context::cell(sessions::Session& session, const std::string& code,
                         const sessions::CellHandlers& handlers, const std::stop_token& stop)
{
    artifacts::ArtifactOrigin origin;
    origin.thread = session.info().thread;
    auto extra = interpreter(session);
    if (!extra)
        return failedOf(CellStatus::Died, extra.error());
    sessions::CellLimits limits;
    limits.deadline = kLongest;
    CellResult result = *extra ? session.runIn(**extra, code, origin, handlers, stop)
                               : session.runCell(code, limits, origin, handlers, stop);
    if (result.restarted || result.status == CellStatus::Died) { // the next is without what was set
        m_isReady = false;
        m_executions = 0;
    }
    return result;
}

Result<void> Context::prepare(sessions::Session& session, const std::stop_token& stop)
{
    if (auto extra = interpreter(session); !extra)
        return std::move(extra.error());
    if (m_isReady)
        return {};
    const CellResult done = cell(session, readyCode(m_environment, m_cwd), {}, stop);
    if (done.status == CellStatus::Error)
        return Error{ Errc::InvalidArgument, "cwd " + m_cwd + ": " + done.error->message };
    if (done.status != CellStatus::Ok)
        return Error{ Errc::Unavailable, done.error ? done.error->message : "it was stopped" };
    m_isReady = true;
    return {};
}

Result<void> Context::start(sessions::Session& session, const std::stop_token& stop)
{
    const sessions::CellLine::Turn turn(m_line, stop);
    return turn ? prepare(session, stop) : Result<void>(Error{ Errc::Cancelled, "nobody waits any more" });
}

CellResult Context::run(sessions::Session& session, const Work& work, const std::stop_token& stop)
{
    const sessions::CellLine::Turn turn(m_line, stop);
    if (!turn)
        return failedOf(CellStatus::Stopped, { Errc::Cancelled, "nobody waits for it any more" });
    const std::stop_token mine = begin();
    const std::stop_callback passOn(stop, [this] { interrupt(); });
    if (auto ready = prepare(session, mine); !ready)
        return failedOf(mine.stop_requested() ? CellStatus::Stopped : CellStatus::Died, ready.error());
    work.begins(++m_executions);
    const bool hasVariables = work.variables.isMap() && work.variables.asMap().size() > 0;
    const auto [before, after] = environmentCode(hasVariables ? work.variables : Value(ValueMap{}));
    if (hasVariables)
        (void)cell(session, before, {}, mine);
    CellResult result = cell(session, work.code, work.handlers, mine);
    if (hasVariables && m_isReady)
        (void)cell(session, after, {}, {});
    return result;
}

void Context::interrupt()
{
    std::stop_source running = [this] {
        const std::lock_guard lock(m_mutex);
        return m_running;
    }();
    running.request_stop(); // outside of the lock, as it calls whoever waits
}

Result<void> Context::restart(sessions::Session& session, const std::stop_token& stop)
{
    interrupt();
    const sessions::CellLine::Turn turn(m_line, stop);
    if (!turn)
        return Error{ Errc::Cancelled, "nobody waits any more" };
    if (m_id == kOwnContext) {
        (void)cell(session, "import os\nos._exit(0)", {}, stop);
    } else {
        const std::lock_guard lock(m_mutex);
        m_extra.reset();
    }
    m_isReady = false;
    m_executions = 0;
    return prepare(session, stop);
}

void Context::halt()
{
    Interpreter ended; // outside of the lock
    {
        const std::lock_guard lock(m_mutex);
        m_isHalted = true;
        ended = std::move(m_extra);
    }
    interrupt();
}

void Context::pump()
{
    Interpreter extra;
    {
        const std::lock_guard lock(m_mutex);
        extra = m_extra;
    }
    if (extra)
        extra->pump();
}

Contexts::Contexts(Value environment)
    : m_environment(std::move(environment))
{
    m_byId.emplace(kOwnContext, std::make_shared<Context>(kOwnContext, "", m_environment));
}

Result<ContextPtr> Contexts::create(sessions::Session& session, const std::string& cwd,
                                    const std::stop_token& stop)
{
    if (cwd.size() > kMostPath || cwd.find('\0') != std::string::npos)
        return Error{ Errc::InvalidArgument, "cwd is no path" };
    std::string chance(16, '\0');
    fillRandomBytes(chance.data(), chance.size());
    auto made = std::make_shared<Context>(toHex(chance), cwd, m_environment);
    {
        const std::lock_guard lock(m_mutex);
        if (m_byId.size() - 1 + m_starting >= kMostContexts)
            return Error{ Errc::LimitExceeded,
                          "A sandbox may have " + std::to_string(kMostContexts)
                              + " contexts besides its own; remove one" };
        ++m_starting;
    }
    auto started = made->start(session, stop);
    const std::lock_guard lock(m_mutex);
    --m_starting;
    if (!started)
        return std::move(started.error());
    m_byId.emplace(made->id(), made);
    return made;
}

ContextPtr Contexts::find(const std::string& id)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : found->second;
}

std::vector<ContextPtr> Contexts::all()
{
    std::vector<ContextPtr> listed;
    const std::lock_guard lock(m_mutex);
    for (const auto& [id, each] : m_byId)
        listed.push_back(each);
    return listed;
}

bool Contexts::remove(const std::string& id)
{
    ContextPtr removed;
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_byId.find(id);
        if (found == m_byId.end() || id == kOwnContext)
            return false;
        removed = found->second;
        m_byId.erase(found);
    }
    removed->halt();
    return true;
}

void Contexts::end()
{
    for (const ContextPtr& each : all())
        each->halt();
}

void Contexts::pump()
{
    for (const ContextPtr& each : all())
        each->pump();
}

} // namespace sg::servers::e2b
