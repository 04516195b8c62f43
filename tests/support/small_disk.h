#pragma once

#include "tests/support/temp_dir.h"

#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace sg::test {

// A separate small file system that only this process sees, for tests of a full or read-only disk. Needs
// root; where mounting fails, problem() says why and the test skips.
class SmallDisk {
public:
    explicit SmallDisk(const std::string& size)
    {
        if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
            || ::mount("tmpfs", path().c_str(), "tmpfs", 0, ("size=" + size).c_str()) != 0)
            m_problem = std::string("cannot mount a small tmpfs (needs root): ") + std::strerror(errno);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    ~SmallDisk()
    {
        if (m_problem.empty())
            ::umount2(path().c_str(), MNT_DETACH);
    }

    [[nodiscard]] const std::string& problem() const { return m_problem; } // empty: it is mounted
    [[nodiscard]] const std::filesystem::path& path() const { return m_folder.path(); }
    [[nodiscard]] bool makeReadOnly() const
    {
        return ::mount(nullptr, path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }

private:
    TempDir m_folder;
    std::string m_problem;
};

} // namespace sg::test
