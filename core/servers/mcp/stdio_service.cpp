#include "core/servers/mcp/stdio_service.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/servers/mcp/connection.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace sg::servers {
namespace {

constexpr int kMostCalls = 32; // at once
constexpr std::chrono::milliseconds kGrace{ 1000 }; // clients end a server after two seconds

class StdioService {
public:
    StdioService(Offering& offering, const std::string& version, const std::string& thread, int output)
        : m_connection(offering, version, thread)
        , m_output(output)
    {
    }

    Result<void> run(int input, const std::stop_token& stop)
    {
        const Fd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
        const std::stop_callback onStop(stop, [&wake] {
            const std::uint64_t one = 1;
            static_cast<void>(::write(wake.get(), &one, sizeof one) == sizeof one);
        });
        std::vector<char> buffer(64U << 10);
        std::string line;
        while (!stop.stop_requested() && !m_isBroken) {
            std::array<pollfd, 2> waits{ pollfd{ input, POLLIN, 0 }, pollfd{ wake.get(), POLLIN, 0 } };
            if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR)
                return errnoError(errno, "wait for the client");
            if (waits[0].revents == 0)
                continue;
            const ssize_t got = ::read(input, buffer.data(), buffer.size());
            if (got == 0)
                break;
            if (got < 0 && errno != EINTR && errno != EAGAIN)
                return errnoError(errno, "read from the client");
            if (got > 0)
                takeBytes(line, { buffer.data(), static_cast<std::size_t>(got) });
        }
        letFinish(stop);
        m_calls.clear(); // stops and waits
        return {};
    }

private:
    // A client that has said all may still read.
    void letFinish(const std::stop_token& stop)
    {
        const auto end = std::chrono::steady_clock::now() + kGrace;
        while (!stop.stop_requested() && !m_isBroken && std::chrono::steady_clock::now() < end) {
            m_calls.remove_if([](const Call& call) { return call.isOver.load(); });
            if (m_calls.empty())
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }

    struct Call {
        std::atomic<bool> isOver = false;
        std::jthread thread; // last, so that it ends first
    };

    void takeBytes(std::string& line, std::string_view bytes)
    {
        for (std::size_t feed = 0; (feed = bytes.find('\n')) != std::string_view::npos;) {
            line += bytes.substr(0, feed);
            bytes.remove_prefix(feed + 1);
            if (line.size() <= mcp::kMostMessage)
                takeLine(line);
            line.clear();
        }
        if (line.size() <= mcp::kMostMessage) // what is longer is skipped as a whole
            line += bytes;
    }

    // A line that is no message gets no answer, as the protocol's own server has it.
    void takeLine(const std::string& line)
    {
        auto message = mcp::parseMessage(line);
        if (!message)
            return;
        const auto send = [this](const mcp::RpcMessage& reply) { write(reply); };
        if (!McpConnection::mayLast(*message)) {
            m_connection.take(*message, send, {});
            return;
        }
        m_calls.remove_if([](const Call& call) { return call.isOver.load(); });
        if (m_calls.size() >= kMostCalls) {
            write(mcp::rpcFailure(message->id, mcp::rpc_code::kInternal,
                                  "More than " + std::to_string(kMostCalls) + " calls at once"));
            return;
        }
        Call& call = m_calls.emplace_back();
        call.thread =
            std::jthread([this, &call, send, message = std::move(*message)](const std::stop_token& stop) {
                m_connection.take(message, send, stop);
                call.isOver = true;
            });
    }

    void write(const mcp::RpcMessage& message)
    {
        const std::string line = mcp::messageText(message) + "\n";
        const std::lock_guard lock(m_writing);
        std::string_view rest = line;
        while (!rest.empty() && !m_isBroken) {
            const ssize_t put = ::write(m_output, rest.data(), rest.size());
            if (put > 0)
                rest.remove_prefix(static_cast<std::size_t>(put));
            else if (errno != EINTR)
                m_isBroken = true; // the client is gone
        }
    }

    McpConnection m_connection;
    const int m_output;
    std::mutex m_writing;
    std::atomic<bool> m_isBroken = false;
    std::list<Call> m_calls; // belongs to the reading thread
};

} // namespace

Result<void> serveMcp(Offering& offering, const std::string& version, const std::string& thread, int input,
                      int output, const std::stop_token& stop)
{
    return StdioService(offering, version, thread, output).run(input, stop);
}

} // namespace sg::servers
