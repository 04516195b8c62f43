#include "app/cli/commands/tools/serving.h"

#include <condition_variable>
#include <cstdio>
#include <mutex>

namespace sg::cli {

std::string webAddress(const std::string& address, bool isTls, std::uint16_t port)
{
    const std::string host = address.find(':') == std::string::npos ? address : '[' + address + ']';
    return (isTls ? "https://" : "http://") + host + ':' + std::to_string(port);
}

int serveUntilStopped(const std::string& url, std::uint16_t port, const std::string& said, const Output& out,
                      const std::stop_token& stop)
{
    if (out.json)
        out.line(Value::map({ { "serving", url }, { "port", static_cast<std::int64_t>(port) } }));
    out.text(said);
    std::fflush(stdout);
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    ended.wait(lock, stop, [] { return false; });
    return Done;
}

} // namespace sg::cli
