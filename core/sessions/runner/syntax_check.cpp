#include "core/sessions/runner/syntax_check.h"

#include "core/base/msgpack.h"
#include "core/base/utf8.h"
#include "core/sessions/runner/live_sandbox.h"

#include <algorithm>

namespace sg::sessions {
namespace {

using Faults = std::vector<std::vector<CodeFault>>;

constexpr std::int64_t kOutputLimit = 1 << 20;
constexpr std::size_t kMostCheckText = 4096;
constexpr std::size_t kMostFaults = 1000; // of one file
// Runs in the sandbox's interpreter, as that is the one that compiles: the supervisor never parses sources.
constexpr const char* kChecker = "from sandglass_runner.syntax import faults\n\n\n"
                                 "def node(state):\n    return faults(state)\n";

std::string shortText(const Value& text)
{
    return isValidUtf8(text.asString()) && text.asString().size() <= kMostCheckText ? text.asString() : "?";
}

Error wrongAnswer(const char* what)
{
    return { Errc::Corrupt, std::string("the check of the Python code answered with ") + what };
}

Value toldSources(const std::vector<CodeSource>& sources)
{
    const auto names = [](const std::vector<std::string>& all) {
        return Value(ValueList(all.begin(), all.end()));
    };
    ValueList list;
    for (const CodeSource& each : sources)
        list.push_back(Value::map({ { "file", each.file },
                                    { "source", each.source },
                                    { "functions", names(each.functions) },
                                    { "channels", names(each.channels) },
                                    { "updating", names(each.updating) },
                                    { "reading", names(each.reading) } }));
    return Value(std::move(list));
}

Result<Faults> readFaults(const Value& told, std::size_t count)
{
    if (!told.isList() || told.asList().size() != count)
        return wrongAnswer("something else");
    Faults faults;
    for (const Value& ofFile : told.asList()) {
        if (!ofFile.isList() || ofFile.asList().size() > kMostFaults)
            return wrongAnswer("something else");
        std::vector<CodeFault>& list = faults.emplace_back();
        for (const Value& fault : ofFile.asList()) {
            if (!fault.isList() || fault.asList().size() != 5 || !fault[0].isInt() || !fault[1].isInt()
                || !fault[2].isString() || !fault[3].isString() || !fault[4].isString())
                return wrongAnswer("something else");
            list.push_back({ fault[0].asInt(), fault[1].asInt(), shortText(fault[2]), shortText(fault[3]),
                             shortText(fault[4]) });
        }
    }
    return faults;
}

} // namespace

Result<Faults> checkSyntax(sandbox::SandboxBackend& backend, const sandbox::SandboxSpec& spec,
                           const std::vector<CodeSource>& sources, std::chrono::milliseconds timeout)
{
    auto started = backend.start(spec);
    if (!started)
        return std::move(started.error());
    LiveSandbox live(std::move(*started), spec.limits, {}, {});
    if (auto greeted = live.greet({ .outputBytes = kOutputLimit }); !greeted)
        return std::move(greeted.error());
    auto done = live.link().ask({ { "op", "call" },
                                  { "source", kChecker },
                                  { "file", "<syntax check>" },
                                  { "state", Bytes{ encodeMsgpack(toldSources(sources)) } },
                                  { "deadline_ms", static_cast<std::int64_t>(timeout.count()) } },
                                "done", timeout);
    live.sandbox().end();
    if (!done)
        return std::move(done.error());
    const Value& update = done->body["update"];
    if (!update.isBytes()) // the interpreter ended, or ran out of memory
        return Error{ Errc::Corrupt,
                      done->body["error"].stringOr("message", "the interpreter gave no answer") };
    const auto told = decodeMsgpack(update.asBytes());
    return told ? readFaults(*told, sources.size()) : wrongAnswer("what cannot be decoded");
}

} // namespace sg::sessions
