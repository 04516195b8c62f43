#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace sg::settings {

// The things that this machine's user has allowed projects to do, kept outside of them: one mark a line, a
// hash of the project and of exactly what is allowed. Any thread; programs that write at the same time may
// lose a mark, which is asked for again.
class ConsentFile {
public:
    explicit ConsentFile(std::filesystem::path file); // empty: there is no place, and nothing can be allowed

    // The mark of `what` in a project.
    static std::string mark(const std::filesystem::path& project, const std::string& what);
    [[nodiscard]] bool has(const std::string& mark) const;
    Result<void> add(const std::string& mark);

private:
    const std::filesystem::path m_file;
};

} // namespace sg::settings
