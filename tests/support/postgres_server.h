#pragma once

#include "core/base/child_process.h"
#include "tests/support/temp_dir.h"

#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace sg::test {

// Debian keeps a server's programs out of the PATH. SG_POSTGRES_BIN names another folder with them; empty:
// there are none.
inline std::filesystem::path postgresPrograms()
{
    if (const char* chosen = std::getenv("SG_POSTGRES_BIN");
        chosen != nullptr) // NOLINT(concurrency-mt-unsafe)
        return chosen;
    std::vector<std::filesystem::path> found;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/usr/lib/postgresql", none))
        if (std::filesystem::exists(entry.path() / "bin/initdb", none))
            found.push_back(entry.path() / "bin");
    return found.empty() ? std::filesystem::path() : *std::ranges::max_element(found);
}

// A PostgreSQL server of the test's own, on a unix socket and in a folder of its own, without fsync. It runs
// as the user "postgres" where the test is root, as the server refuses to be root.
class PostgresServer {
public:
    PostgresServer()
    {
        std::filesystem::permissions(m_dir.path(), std::filesystem::perms(0755));
        std::filesystem::create_directory(folder());
        if (::geteuid() == 0)
            if (const passwd* user = ::getpwnam("postgres"); user != nullptr) // NOLINT(concurrency-mt-unsafe)
                static_cast<void>(::chown(folder().c_str(), user->pw_uid, user->pw_gid));
        run({ (postgresPrograms() / "initdb").string(), "-D", data(), "-U", "tester", "-A", "trust", "-E",
              "UTF8", "--no-sync", "--no-locale" });
        start();
    }
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;
    ~PostgresServer() { stop(SIGQUIT); }

    // A database of that name, made when it is asked for first.
    [[nodiscard]] std::string address(const std::string& database, const std::string& user = "tester")
    {
        if (std::ranges::find(m_databases, database) == m_databases.end()) {
            sql("postgres", "CREATE DATABASE \"" + database + "\"");
            m_databases.push_back(database);
        }
        return "postgresql://" + user + "@/" + database + "?host=" + folder().string();
    }
    [[nodiscard]] std::filesystem::path folder() const { return m_dir / "pg"; }

    // Returns what psql prints, without alignment.
    std::string sql(const std::string& database, const std::string& text) const
    {
        ProcessSpec spec;
        spec.program = postgresPrograms() / "psql";
        spec.arguments = {
            "-X",     "-q", "-A",     "-t", "-v", "ON_ERROR_STOP=1", "-h", folder().string(), "-U",
            "tester", "-d", database, "-c", text
        };
        for (char** variable = environ; *variable != nullptr; ++variable)
            spec.environment.emplace_back(*variable);
        const auto told = runProcess(std::move(spec), {}, std::chrono::seconds(60));
        if (!told || told->exit.code != 0) {
            std::fprintf(stderr, "psql: %s\n", told ? told->err.c_str() : told.error().message.c_str());
            std::abort();
        }
        return told->out.substr(0, told->out.find_last_not_of('\n') + 1);
    }

    void stop(int signal)
    {
        if (m_process <= 0)
            return;
        ::kill(m_process, signal);
        ::waitpid(m_process, nullptr, 0);
        m_process = -1;
    }
    void start()
    {
        m_process =
            launch({ (postgresPrograms() / "postgres").string(), "-D", data(), "-k", folder().string(), "-c",
                     "listen_addresses=", "-c", "fsync=off", "-c", "full_page_writes=off", "-c",
                     "max_connections=60", "-c", "shared_buffers=16MB" });
        for (int i = 0; i < 1000; ++i) {
            if (run({ (postgresPrograms() / "pg_isready").string(), "-q", "-h", folder().string() }))
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        std::fprintf(stderr, "PostgreSQL does not start: see %s\n", (folder() / "log").c_str());
        std::abort();
    }

private:
    [[nodiscard]] std::string data() const { return (folder() / "data").string(); }

    pid_t launch(std::vector<std::string> words) const
    {
        const passwd* user = ::getpwnam("postgres"); // NOLINT(concurrency-mt-unsafe): one thread so far
        const std::string log = (folder() / "log").string();
        const std::string place = folder().string();
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        const pid_t child = ::fork();
        if (child != 0)
            return child;
        if (::geteuid() == 0 && user != nullptr
            && (::setgroups(0, nullptr) != 0 || ::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0))
            ::_exit(126);
        ::prctl(PR_SET_PDEATHSIG, SIGQUIT); // after setuid(), which takes it back
        static_cast<void>(::chdir(place.c_str()));
        static_cast<void>(std::freopen(log.c_str(), "a", stdout));
        ::dup2(1, 2);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    bool run(std::vector<std::string> words) const
    {
        int status = 1;
        return ::waitpid(launch(std::move(words)), &status, 0) > 0 && status == 0;
    }

    const TempDir m_dir;
    std::vector<std::string> m_databases{ "postgres" };
    pid_t m_process = -1;
};

} // namespace sg::test
