#pragma once

#include "core/base/result.h"
#include "core/servers/e2b/sandboxes.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::servers::e2b {

struct Client {
    std::string name;
    Quota quota;
};

// The keys of clients, of which the file holds SHA-256 alone:
// {"clients": [{"name", "sha256", "sandboxes", "seconds", "memory"}]}.
class ClientKeys {
public:
    explicit ClientKeys(std::filesystem::path file)
        : m_file(std::move(file))
    {
    }
    // "e2b_" and 40 hex digits, which are told once. A name that is known gets a new key in place of its old
    // one.
    Result<std::string> add(const std::string& name, const Quota& quota);
    [[nodiscard]] std::optional<Client> find(std::string_view key) const;
    [[nodiscard]] bool isEmpty() const;

private:
    [[nodiscard]] Result<Value> read() const;

    const std::filesystem::path m_file;
};

} // namespace sg::servers::e2b
