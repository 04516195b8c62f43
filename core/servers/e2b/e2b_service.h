#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/net/http_server.h"
#include "core/sessions/manager/session_manager.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sg::servers {

struct E2bOptions {
    net::HttpServerOptions http;
    std::vector<std::string> hosts; // further Host headers to accept, for use behind a proxy
    std::filesystem::path keys; // file of the clients' keys
    std::filesystem::path
        records{}; // folder by which sandboxes in containers are found again; empty: none are
    int ready = 0; // sandboxes that are started before a client asks
    bool isLikeKruise =
        false; // answers as OpenKruise's sandbox manager does, for clients that are made for it
};

// Serves sandboxes to clients of E2B's protocol over this project's sessions until it is destroyed. Those in
// containers live on then where there are records of them, the others end. Any thread.
class E2bService {
public:
    using SpecOf = std::function<Result<sessions::SessionSpec>()>;
    static Result<std::unique_ptr<E2bService>> start(sessions::SessionManager& sessions, SpecOf spec,
                                                     const Clock& clock, const E2bOptions& options);
    virtual ~E2bService() = default;
    [[nodiscard]] virtual std::uint16_t port() const = 0;
};

struct E2bQuota {
    int sandboxes = 20; // at once
    std::chrono::seconds longest{ 24 * 3600 }; // of each
    std::int64_t memoryBytes = 0; // of all at once; 0: no limit
};

// Makes a key for a client of that name, which is told once.
Result<std::string> makeE2bKey(const std::filesystem::path& keys, const std::string& name,
                               const E2bQuota& quota);
bool hasE2bKeys(const std::filesystem::path& keys);

} // namespace sg::servers
