#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sg::sandbox::e2b {

// A sandbox elsewhere that this user has asked for. A record is written before the request, so that a program
// which is killed at any moment leaves a trace of what may cost.
struct RemoteRecord {
    std::string connection;
    std::string session;
    std::string project;
    std::string owner; // ownerMark()
};

// One file each in a folder of this user. Any thread, several programs.
class RemoteRecords {
public:
    explicit RemoteRecords(std::filesystem::path folder)
        : m_folder(std::move(folder))
    {
    }
    Result<void> write(const RemoteRecord& record) const;
    void remove(const std::string& connection, const std::string& session) const;
    [[nodiscard]] std::vector<RemoteRecord> all() const; // unreadable files are left out

private:
    const std::filesystem::path m_folder; // empty: nothing is recorded
};

} // namespace sg::sandbox::e2b
