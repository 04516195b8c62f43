#include "core/sessions/runner/extra_interpreter.h"

#include "core/sessions/runner/cell_frames.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr Millis kHelloTime{ 30'000 };
constexpr Millis kGrace{ 2000 };
constexpr Millis kBeyondGrace{ 4000 }; // for the runner to report what it did
constexpr Millis kLook{ 250 };
constexpr std::int64_t kOutputChunk = 256 << 10;

CellResult ended(const std::string& why)
{
    CellResult result;
    result.status = CellStatus::Died;
    result.error = CellError{ "InterpreterDied", why };
    return result;
}

} // namespace

ExtraInterpreter::ExtraInterpreter(Fd socket)
    : m_stream(std::move(socket))
    , m_link(m_stream, [](const Frame&) {})
{
}

ExtraInterpreter::~ExtraInterpreter()
{
    m_link.close({ Errc::Cancelled, "nobody needs the interpreter any more" });
    m_stream.close(); // which ends its runner, and all that its code has started
}

Result<std::shared_ptr<ExtraInterpreter>> ExtraInterpreter::start(Session& session, const Value& environment)
{
    const auto runner = session.link();
    if (!runner)
        return Error{ Errc::Unavailable, "the sandbox has ended" };
    auto handed = runner->handSocket("interpreter", "further interpreters");
    if (!handed)
        return std::move(handed.error());
    std::shared_ptr<ExtraInterpreter> made(new ExtraInterpreter(std::move(handed->socket)));
    if (auto greeted = made->greet(handed->answer["settings"], environment); !greeted)
        return std::move(greeted.error());
    return made;
}

Result<void> ExtraInterpreter::greet(const Value& settings, const Value& environment)
{
    ValueMap options{ { "chunk_limit", kOutputChunk },
                      { "grace_ms", static_cast<std::int64_t>(kGrace.count()) },
                      { "output_limit", CellLimits().outputBytes } };
    for (const char* key : { "home", "path", "layers", "modules" })
        if (const Value* const found = settings.find(key); found != nullptr && !found->isNull())
            options.set(key, *found);
    ValueMap variables = settings["env"].isMap() ? settings["env"].asMap() : ValueMap();
    if (environment.isMap())
        for (const auto& [name, value] : environment.asMap())
            variables.set(name.asString(), value);
    options.set("env", std::move(variables));
    const auto ready = m_link.hello(options, kHelloTime);
    if (!ready)
        return Error(ready.error()).during("start an interpreter");
    if (ready->event != "ready")
        return Error{ Errc::Corrupt, "the interpreter does not keep to its protocol" };
    return {};
}

CellResult ExtraInterpreter::run(const std::string& code, const CellLimits& limits,
                                 const CellHandlers& handlers, const std::stop_token& stop)
{
    auto exchange = m_link.begin({ { "op", "cell" },
                                   { "code", code },
                                   { "deadline_ms", static_cast<std::int64_t>(limits.deadline.count()) } },
                                 RunnerLink::Takes::OutputToo);
    if (!exchange)
        return ended(exchange.error().message);
    CellFrames frames(false, limits, {}, handlers);
    std::atomic<SteadyTime::rep> end{ std::numeric_limits<SteadyTime::rep>::max() };
    const std::stop_callback interrupt(stop, [&] {
        end = (steady_clock::now() + kGrace + kBeyondGrace).time_since_epoch().count();
        (void)m_link.send({ { "op", "interrupt" }, { "id", exchange->id() } });
    });
    while (true) {
        const SteadyTime patience{ SteadyTime::duration(end.load()) };
        auto frame = exchange->next(std::min(steady_clock::now() + kLook, patience));
        if (!frame && frame.error().code == Errc::Timeout) {
            if (steady_clock::now() >= patience)
                m_link.close({ Errc::Timeout, "the interpreter could not be stopped, and was ended" });
        } else if (frame) {
            const auto last = frames.take(*frame);
            if (last && *last)
                return std::move(frames.result());
            if (!last)
                m_link.close(last.error());
            if (const ValueMap reply = frames.takeReply(); !reply.empty())
                (void)m_link.send(reply);
        }
        if (const auto failure = m_link.failure())
            return ended(failure->message);
    }
}

} // namespace sg::sessions
