#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::sessions {

// VisibleFolder reads a session's folder from this process while the code in the sandbox changes it: no link
// is followed and nothing outside is opened, whatever is renamed meanwhile. Not copyable; one thread.
class VisibleFolder {
public:
    explicit VisibleFolder(Fd root)
        : m_root(std::move(root))
    {
    }

    struct Problem {
        std::string path;
        std::string reason;
    };
    // `visit` gets the path beneath the folder, folders before their contents. Paths that vanish meanwhile
    // are skipped; a folder that cannot be listed is a problem.
    using Visit = std::function<void(const std::string& path, const struct stat& found)>;
    std::vector<Problem> walk(const Visit& visit) const;

    // The target of a link; "" where it is none now.
    [[nodiscard]] std::string linkTarget(const std::string& path) const;
    // Opens a regular file for reading, if it still is the one with that inode. Errc::NotFound.
    [[nodiscard]] Result<Fd> openFile(const std::string& path, std::int64_t inode) const;

private:
    [[nodiscard]] Fd openBeneath(const std::string& path, std::uint64_t flags) const;

    const Fd m_root;
};

} // namespace sg::sessions
