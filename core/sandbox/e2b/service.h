#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/net/http_client.h"
#include "core/sandbox/e2b/connection.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sg::sandbox::e2b {

inline constexpr int kEnvdPort = 49983; // of the daemon that has a sandbox's files and processes

// Gets a secret of this user by its name.
using KeyLookup = std::function<Result<std::string>(const std::string& name)>;

// The data by which a sandbox that the service has told of is reached.
struct Access {
    std::string id; // checked: it stands in addresses
    std::string token; // shown to its daemon
    std::string trafficToken;
    std::string version; // of its daemon

    // The daemon of that version or a newer one: "0.4.0".
    [[nodiscard]] bool isAtLeast(std::string_view wanted) const;
};

struct Listed {
    std::string id;
    Value metadata;
    bool isPaused = false;
    std::string startedAt;
    std::string endsAt; // empty: never, or unknown
};

// A client of one service: its control plane and the daemons of its sandboxes. The user's key goes to the
// connection's own address and nowhere else: redirects are not followed. Any thread.
class Service {
public:
    Service(Connection connection, KeyLookup key);

    [[nodiscard]] const Connection& connection() const { return m_connection; }

    // Errc::PermissionDenied: the key is refused. LimitExceeded: too many requests, or a quota.
    Result<Access> create(const Value& metadata, std::chrono::seconds time);
    // Resumes a paused sandbox. Errc::NotFound: it has ended.
    Result<Access> connect(const std::string& id, std::chrono::seconds time);
    Result<Listed> info(const std::string& id); // Errc::NotFound: it has ended
    // Returns the same sandbox with its present tokens, because those of some services expire soon.
    Result<Access> renewed(const Access& access);
    // Running and paused sandboxes whose metadata has that.
    Result<std::vector<Listed>> list(const std::string& key, const std::string& value);
    Result<void> kill(const std::string& id); // one that has ended is no error
    Result<void> setTime(const std::string& id, std::chrono::seconds time); // Errc::NotFound: it has ended
    Result<void> pause(const std::string& id); // one that is paused is no error
    // Names of what sandboxes can be made of. Errc::Unsupported: the service lists none.
    Result<std::vector<std::string>> templates();
    // Asks for one entry of the list, so address, TLS and key are tried. How long the answer took.
    Result<std::chrono::microseconds> check();

    // A request to a sandbox's daemon, with what leads there and proves that we may.
    [[nodiscard]] net::HttpRequest request(const Access& access, std::string method,
                                           const std::string& path) const;
    Result<net::HttpResponse> send(const net::HttpRequest& request) { return m_http.send(request); }
    // One call of Connect RPC. Errc::NotFound and the like are the daemon's.
    Result<Value> call(const Access& access, const std::string& method, const Value& message);
    Result<void> upload(const Access& access, const std::string& path, std::string_view content);
    Result<Value> metrics(const Access& access);

private:
    enum class Repeats { Yes, Create, Never };
    Result<net::HttpResponse> control(const std::string& method, const std::string& path,
                                      const std::optional<Value>& body, Repeats repeats);
    Result<net::HttpResponse> controlV2(const std::string& path, const Value& body);
    Result<Access> accessIn(const Result<net::HttpResponse>& answer, const char* doing) const;
    [[nodiscard]] Error failed(const std::string& doing, const net::HttpResponse& answer) const;

    const Connection m_connection;
    const KeyLookup m_key;
    net::HttpClient m_http;
    std::atomic<bool> m_hasV2 = true; // the newer addresses of create and connect
    std::mutex m_mutex;
    std::string m_keyText; // guarded by m_mutex
};

// Returns how the service, or a proxy before it, explained a failure: its "message", or a part of the text.
std::string messageIn(const net::HttpResponse& answer);

} // namespace sg::sandbox::e2b
