#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sg::servers::e2b {

// A folder with a JSON file for each sandbox of clients, by which a server finds those of an earlier one
// again. The files hold the sandboxes' tokens: only their user can read them. Any thread; each file belongs
// to one thread at a time.
class SandboxRecords {
public:
    // An empty folder: nothing is kept.
    explicit SandboxRecords(std::filesystem::path folder)
        : m_folder(std::move(folder))
    {
    }
    [[nodiscard]] bool isKept() const { return !m_folder.empty(); }
    Result<void> save(const std::string& id, const Value& record) const;
    void remove(const std::string& id) const;
    // Returns the records that can be read; each has an "id", which is the name of its file.
    [[nodiscard]] std::vector<Value> all() const;

private:
    [[nodiscard]] std::filesystem::path file(const std::string& id) const
    {
        return m_folder / (id + ".json");
    }

    const std::filesystem::path m_folder;
};

} // namespace sg::servers::e2b
