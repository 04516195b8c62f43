#pragma once

#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

namespace sg::test {

// Runs `check` in a process that is not root, as permissions do not restrict root, and returns what it finds
// wrong (empty: nothing). Its files must be accessible to everybody. For tests with one thread.
inline std::string asOrdinaryUser(const std::function<std::string()>& check)
{
    constexpr unsigned kNobody = 65534;
    int ends[2];
    if (::pipe(ends) != 0)
        return "no pipe";
    const pid_t child = ::fork();
    if (child == 0) {
        std::string wrong;
        if (::geteuid() == 0
            && (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0))
            wrong = "this process stays root";
        else
            wrong = check();
        const bool isTold =
            ::write(ends[1], wrong.data(), wrong.size()) == static_cast<ssize_t>(wrong.size());
        ::_exit(isTold && wrong.empty() ? 0 : 1);
    }
    ::close(ends[1]);
    std::string wrong;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        wrong.append(buffer, static_cast<std::size_t>(got));
    ::close(ends[0]);
    int status = 0;
    if (::waitpid(child, &status, 0) != child || (status != 0 && wrong.empty()))
        return "the other process ended with status " + std::to_string(status);
    return wrong;
}

} // namespace sg::test
