#include "app/jq_helper/confine.h"
#include "core/expressions/helper_protocol.h"
#include "core/expressions/jq_programs.h"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

// Evaluates jq programs for the process that started it, by the protocol in
// core/expressions/helper_protocol.h.
namespace {

using namespace sg;
using namespace sg::expressions;

enum class Exit { Done = 0, Usage = 2, NotConfined = kExitNotConfined, BrokenStream = 4 };

// False at the end of the stream.
bool readExactly(std::string& into, std::size_t length)
{
    into.resize(length);
    for (std::size_t got = 0; got < length;) {
        const ssize_t count = ::read(kHelperDescriptor, into.data() + got, length - got);
        if (count > 0)
            got += static_cast<std::size_t>(count);
        else if (count == 0 || errno != EINTR)
            return false;
    }
    return true;
}

bool writeAll(const std::string& bytes)
{
    for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t count = ::write(kHelperDescriptor, bytes.data() + sent, bytes.size() - sent);
        if (count > 0)
            sent += static_cast<std::size_t>(count);
        else if (errno != EINTR)
            return false;
    }
    return true;
}

std::optional<Value> readRequest(std::size_t mostBytes)
{
    std::string bytes;
    if (!readExactly(bytes, kFrameHeader))
        return std::nullopt;
    const std::size_t length = frameLength(bytes);
    if (length > mostBytes || !readExactly(bytes, length))
        return std::nullopt;
    auto request = frameBody(bytes);
    return request ? std::optional(std::move(*request)) : std::nullopt;
}

// SIGALRM's default action ends the process.
void setAlarm(std::int64_t seconds)
{
    itimerval timer{};
    timer.it_value.tv_sec = seconds;
    ::setitimer(ITIMER_REAL, &timer, nullptr);
}

class Service {
public:
    Result<Value> answer(const Value& request)
    {
        const std::string what =
            request[std::size_t{ 0 }].isString() ? request[std::size_t{ 0 }].asString() : "";
        if (what == "load")
            return load(request);
        if (!m_programs)
            return Error{ Errc::InvalidArgument, "no programs are loaded" };
        if (what == "check")
            return check();
        if (!request[1].isInt() || request[1].asInt() < 0)
            return Error{ Errc::InvalidArgument, "the request names no program" };
        const auto index = static_cast<std::size_t>(request[1].asInt());
        return what == "evaluate" ? evaluate(index, request[2]) : prepare(index);
    }

private:
    Result<Value> load(const Value& request)
    {
        std::vector<std::string> programs;
        if (request[1].isList())
            for (const Value& program : request[1].asList())
                programs.push_back(program.isString() ? program.asString() : std::string());
        m_programs = std::make_unique<JqPrograms>(std::move(programs));
        m_mostOutputs = static_cast<std::size_t>(std::max<std::int64_t>(request[2].intOr("outputs", 1), 0));
        m_seconds = std::max<std::int64_t>(request[2].intOr("seconds", 1), 1);
        return Value();
    }

    Result<Value> check()
    {
        ValueList problems;
        for (const JqProblem& problem : m_programs->check())
            problems.push_back(Value::list({ problem.program, problem.message }));
        return Value(std::move(problems));
    }

    Result<Value> prepare(std::size_t index)
    {
        if (auto ready = m_programs->prepare(index); !ready)
            return std::move(ready.error());
        return Value();
    }

    Result<Value> evaluate(std::size_t index, const Value& input)
    {
        setAlarm(m_seconds);
        auto results = m_programs->evaluate(index, input, m_mostOutputs);
        setAlarm(0);
        if (!results)
            return std::move(results.error());
        return Value(std::move(*results));
    }

    std::unique_ptr<JqPrograms> m_programs;
    std::size_t m_mostOutputs = 0;
    std::int64_t m_seconds = 1;
};

Exit serve(std::size_t mostBytes)
{
    Service service;
    while (const auto request = readRequest(mostBytes)) {
        auto answer = service.answer(*request);
        const Value response = answer ? Value::list({ "ok", std::move(*answer) })
                                      : Value::list({ "error", answer.error().message });
        if (!writeAll(frame(response)))
            return Exit::BrokenStream;
    }
    return Exit::Done;
}

} // namespace

int main(int argc, char** argv)
{
    const std::size_t memoryBytes = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
    if (memoryBytes == 0)
        return static_cast<int>(Exit::Usage);
    if (!jq_helper::confine(memoryBytes))
        return static_cast<int>(Exit::NotConfined);
    ::_exit(static_cast<int>(serve(largestFrame(memoryBytes)))); // nothing to tidy up, and sanitizers' exit
                                                                 // handlers would need calls that are refused
}
