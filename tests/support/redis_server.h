#pragma once

#include "tests/support/temp_dir.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sg::test {

// A Redis server of the test's own, in a folder and on a unix socket of its own. SG_REDIS_SERVER names
// another program that does the same, such as valkey-server.
class RedisServer {
public:
    enum class Keep { Nothing, AppendOnly };
    using Environment = std::vector<std::pair<std::string, std::string>>;
    explicit RedisServer(Keep keep = Keep::Nothing, std::vector<std::string> more = {},
                         Environment environment = {})
        : m_keep(keep)
        , m_more(std::move(more))
        , m_environment(std::move(environment))
    {
        start();
    }
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;
    ~RedisServer() { kill(); }

    [[nodiscard]] std::string socket() const { return (m_dir / "redis.sock").string(); }
    [[nodiscard]] std::string address() const { return "unix://" + socket(); }

    void kill()
    {
        if (m_process <= 0)
            return;
        ::kill(m_process, SIGKILL);
        ::waitpid(m_process, nullptr, 0);
        m_process = -1;
    }

    void start()
    {
        ::unlink(socket().c_str());
        const char* other = std::getenv("SG_REDIS_SERVER"); // NOLINT(concurrency-mt-unsafe): never changed
        std::vector<std::string> words{ other == nullptr ? "redis-server" : other,
                                        "--port",
                                        "0",
                                        "--unixsocket",
                                        socket(),
                                        "--dir",
                                        m_dir.path().string(),
                                        "--save",
                                        "",
                                        "--loglevel",
                                        "warning" };
        words.insert(
            words.end(),
            { "--appendonly", m_keep == Keep::AppendOnly ? "yes" : "no", "--appendfsync", "everysec" });
        words.insert(words.end(), m_more.begin(), m_more.end());
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        m_process = ::fork();
        if (m_process == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            const std::string log = (m_dir / "redis.log").string();
            for (const auto& [name, value] : m_environment)
                ::setenv(name.c_str(), value.c_str(), 1); // NOLINT(concurrency-mt-unsafe): one thread here
            static_cast<void>(std::freopen(log.c_str(), "a", stdout));
            ::execvp(arguments[0], arguments.data());
            ::_exit(127);
        }
        waitUntilItAnswers();
    }

private:
    void waitUntilItAnswers() const
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, socket().c_str(), sizeof(address.sun_path) - 1);
        for (int i = 0; i < 1000; ++i) {
            const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
            const bool isThere =
                ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
            std::string reply(5, '\0');
            const bool answers = isThere && ::write(fd, "PING\r\n", 6) == 6
                && ::read(fd, reply.data(), 5) == 5 && reply == "+PONG";
            ::close(fd);
            if (answers)
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        std::abort();
    }

    const TempDir m_dir;
    const Keep m_keep;
    const std::vector<std::string> m_more;
    const Environment m_environment;
    pid_t m_process = -1;
};

} // namespace sg::test
