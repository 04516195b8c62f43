#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/expressions/helper_protocol.h"
#include "core/expressions/input_check.h"
#include "core/expressions/jq_evaluator.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <mutex>
#include <optional>

namespace sg::expressions {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kCompileTime{ 30'000 };
constexpr milliseconds kCheckTime{ 120'000 };
constexpr std::int64_t kSpareSeconds = 5; // the helper's own alarm only matters if nobody is left to kill it

std::string unitText(milliseconds time)
{
    const auto count = time.count();
    return count % 1000 == 0 ? std::to_string(count / 1000) + " s" : std::to_string(count) + " ms";
}

constexpr const char* kMoreMemory = "set JQ_MEMORY_MB in the environment to give jq programs more";

std::string megabytes(std::size_t bytes)
{
    return std::to_string(bytes >> 20U) + " MB";
}

// One running helper. After a failed exchange it cannot be used.
class Helper {
public:
    static Result<Helper> start(const std::string& path, const JqLimits& limits)
    {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
            return errnoError(errno, "create a socket for the jq helper");
        Fd ours(ends[0]);
        const Fd theirs(ends[1]);
        ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
        ProcessSpec spec;
        spec.program = path;
        spec.arguments = { std::to_string(limits.memoryBytes) };
        spec.keepDescriptors = { { theirs.get(), kHelperDescriptor } };
        auto child = ChildProcess::start(spec);
        if (!child)
            return std::move(child.error()).during("start the jq helper " + path);
        return Helper(std::move(*child), std::move(ours), limits);
    }

    // Returns the response's value. Unavailable: the helper is gone; InvalidArgument: it answered "error".
    Result<Value> ask(const Value& request, milliseconds time)
    {
        const std::string bytes = frame(request);
        if (bytes.size() - kFrameHeader > largestFrame(m_memoryBytes))
            return Error{ Errc::InvalidArgument,
                          "the input of a jq program is larger than " + megabytes(largestFrame(m_memoryBytes))
                              + ", half of its memory; " + kMoreMemory };
        m_deadline = steady_clock::now() + time;
        auto body = exchange(bytes);
        if (!body)
            return std::move(body.error());
        auto response = frameBody(*body);
        if (!response || !response->isList() || response->asList().size() != 2)
            return Error{ Errc::Unavailable, "the jq helper gave an answer that makes no sense" };
        if ((*response)[0] == Value("error"))
            return Error{ Errc::InvalidArgument,
                          (*response)[1].isString() ? (*response)[1].asString() : "jq: error" };
        return (*response)[1];
    }

    // It may have been ended from outside while it was idle.
    [[nodiscard]] bool isAlive() const
    {
        pollfd watched{ m_socket.get(), POLLIN, 0 };
        return ::poll(&watched, 1, 0) == 0;
    }

private:
    Helper(ChildProcess child, Fd socket, const JqLimits& limits)
        : m_child(std::move(child))
        , m_socket(std::move(socket))
        , m_memoryBytes(limits.memoryBytes)
    {
    }

    Result<std::string> exchange(const std::string& request)
    {
        for (std::size_t sent = 0; sent < request.size();) {
            const ssize_t written =
                ::send(m_socket.get(), request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
            if (written > 0)
                sent += static_cast<std::size_t>(written);
            else if (auto ready = waitFor(POLLOUT, errno); !ready)
                return std::move(ready.error());
        }
        auto header = receive(kFrameHeader);
        if (!header)
            return header;
        const std::size_t length = frameLength(*header);
        if (length > largestFrame(m_memoryBytes))
            return Error{ Errc::Unavailable,
                          "a jq program gave an answer of more than " + megabytes(largestFrame(m_memoryBytes))
                              + ", half of its memory; " + kMoreMemory };
        return receive(length);
    }

    Result<std::string> receive(std::size_t length)
    {
        std::string bytes(length, '\0');
        for (std::size_t got = 0; got < length;) {
            const ssize_t count = ::read(m_socket.get(), bytes.data() + got, length - got);
            if (count > 0) {
                got += static_cast<std::size_t>(count);
                continue;
            }
            if (auto ready = waitFor(POLLIN, count == 0 ? ECONNRESET : errno); !ready)
                return std::move(ready.error());
        }
        return bytes;
    }

    // Called when a call failed with `error`: waits if it would have blocked.
    Result<void> waitFor(short events, int error)
    {
        if (error == EINTR)
            return {};
        if (error != EAGAIN && error != EWOULDBLOCK)
            return ended();
        const auto left = std::chrono::ceil<milliseconds>(m_deadline - steady_clock::now()).count();
        pollfd watched{ m_socket.get(), events, 0 };
        if (left <= 0 || ::poll(&watched, 1, static_cast<int>(std::min<std::int64_t>(left, INT_MAX))) == 0)
            return Error{ Errc::Timeout, "deadline" };
        return {};
    }

    Error ended()
    {
        std::string message = "the jq helper ended while it was evaluating a program";
        if (auto exit = m_child.wait(milliseconds(1000))) {
            if (exit->code == kExitNotConfined)
                return { Errc::Unavailable,
                         "the jq helper could not be confined: this kernel refuses seccomp filters or "
                         "resource limits; run where they are allowed (a default container does)" };
            message += exit->signal != 0 ? " (signal " + std::to_string(exit->signal) + ")"
                                         : " (exit code " + std::to_string(exit->code) + ")";
        }
        message += ": most likely the program needs more than its " + megabytes(m_memoryBytes)
            + " or nests values without end; make it work on less, or " + kMoreMemory;
        return { Errc::Unavailable, std::move(message) };
    }

    ChildProcess m_child;
    Fd m_socket;
    std::size_t m_memoryBytes = 0;
    steady_clock::time_point m_deadline;
};

Result<Helper> startLoaded(const std::vector<std::string>& programs, const std::string& path,
                           const JqLimits& limits)
{
    auto helper = Helper::start(path, limits);
    if (!helper)
        return helper;
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(limits.deadline).count() + kSpareSeconds;
    auto loaded =
        helper->ask(Value::list({ "load", ValueList(programs.begin(), programs.end()),
                                  Value::map({ { "outputs", limits.outputs }, { "seconds", seconds } }) }),
                    kCompileTime);
    if (!loaded)
        return std::move(loaded.error());
    return helper;
}

std::vector<JqProblem> problemsOf(const Value& answer)
{
    std::vector<JqProblem> problems;
    for (std::size_t i = 0; answer.isList() && i < answer.asList().size(); ++i) {
        const Value& entry = answer[i];
        if (entry[0].isInt() && entry[1].isString())
            problems.push_back({ static_cast<std::size_t>(entry[0].asInt()), entry[1].asString() });
    }
    return problems;
}

class JqProcess final : public JqEvaluator {
public:
    JqProcess(std::vector<std::string> programs, std::string path, JqLimits limits)
        : m_programs(std::move(programs))
        , m_path(std::move(path))
        , m_limits(limits)
        , m_isPrepared(m_programs.size(), false)
    {
    }

    Result<ValueList> evaluate(std::size_t index, const Value& input) override
    {
        if (index >= m_programs.size())
            return Error{ Errc::InvalidArgument, "there is no jq program " + std::to_string(index) };
        const auto fitted = fittedJqInput(m_programs[index], input);
        if (!fitted)
            return fitted.error();
        const std::lock_guard lock(m_mutex);
        if (auto ready = prepare(index); !ready)
            return std::move(ready.error());
        auto results = ask(Value::list({ "evaluate", index, *fitted ? **fitted : input }), m_limits.deadline);
        if (!results)
            return std::move(results.error());
        if (!results->isList())
            return Error{ Errc::Unavailable, "the jq helper gave an answer that makes no sense" };
        return results->asList();
    }

    Result<std::vector<JqProblem>> check() override
    {
        const std::lock_guard lock(m_mutex);
        if (m_programs.empty())
            return std::vector<JqProblem>();
        if (auto running = start(); !running)
            return std::move(running.error());
        auto answer = ask(Value::list({ "check" }), kCheckTime);
        if (!answer)
            return std::move(answer.error()).during("compile the jq programs");
        return problemsOf(*answer);
    }

private:
    Result<void> start()
    {
        if (m_helper && !m_helper->isAlive())
            drop();
        if (m_helper)
            return {};
        auto started = startLoaded(m_programs, m_path, m_limits);
        if (!started)
            return std::move(started.error());
        m_helper.emplace(std::move(*started));
        return {};
    }

    // Compiling has its own deadline, because an evaluation's may be shorter than it takes.
    Result<void> prepare(std::size_t index)
    {
        if (auto running = start(); !running)
            return running;
        if (m_isPrepared[index])
            return {};
        if (auto compiled = ask(Value::list({ "prepare", index }), kCompileTime); !compiled)
            return std::move(compiled.error());
        m_isPrepared[index] = true;
        return {};
    }

    Result<Value> ask(const Value& request, milliseconds time)
    {
        auto answer = m_helper->ask(request, time);
        if (answer || answer.error().code == Errc::InvalidArgument)
            return answer;
        drop();
        if (answer.error().code == Errc::Timeout)
            return Error{ Errc::Timeout,
                          "the jq program was not done after " + unitText(time) + " and was stopped" };
        return answer;
    }

    void drop()
    {
        m_helper.reset();
        m_isPrepared.assign(m_isPrepared.size(), false);
    }

    const std::vector<std::string> m_programs;
    const std::string m_path;
    const JqLimits m_limits;
    std::mutex m_mutex;
    std::optional<Helper> m_helper; // guarded by m_mutex
    std::vector<bool> m_isPrepared; // guarded by m_mutex
};

} // namespace

std::unique_ptr<JqEvaluator> makeJqProcess(std::vector<std::string> programs, std::string helper,
                                           JqLimits limits)
{
    return std::make_unique<JqProcess>(std::move(programs), std::move(helper), limits);
}

std::string findJqHelper()
{
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* place : { "sandglass-jq", "../bin/sandglass-jq", "../libexec/sandglass/sandglass-jq" })
        if (const auto path = folder / place; std::filesystem::exists(path, error))
            return path.lexically_normal().string();
    return (folder / "sandglass-jq").string();
}

Result<std::vector<JqProblem>> checkJqPrograms(const std::vector<std::string>& programs,
                                               const std::string& helper)
{
    return JqProcess(programs, helper, JqLimits{}).check();
}

} // namespace sg::expressions
