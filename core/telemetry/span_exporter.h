#pragma once

#include "core/base/result.h"
#include "core/telemetry/span.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sg::net {
class HttpClient;
}

namespace sg::telemetry {

// A collector as this user named it.
struct Collector {
    using Headers =
        std::function<Result<std::vector<std::pair<std::string, std::string>>>(const std::stop_token& stop)>;
    std::string url; // "http://127.0.0.1:4318/v1/traces"
    Headers headers; // asked before the first request, on the exporter's thread; values may be secrets
    std::filesystem::path authorities{}; // of TLS, see HttpRequest
};

// Sends spans to a collector, in batches, on a thread of its own. add() never waits: spans beyond a bound,
// and those that the collector does not take, are dropped, which the log says. Any thread.
class SpanExporter {
public:
    static constexpr std::size_t kMostWaiting = 10'000;

    explicit SpanExporter(Collector collector);
    ~SpanExporter(); // sends what is left, for two seconds at most
    SpanExporter(const SpanExporter&) = delete;
    SpanExporter& operator=(const SpanExporter&) = delete;

    void add(Span span);

private:
    void work(const std::stop_token& stop);
    std::vector<Span> take(); // those of one request
    // Errc::Cancelled: stopped on the way.
    Result<void> send(net::HttpClient& client, const std::vector<Span>& spans,
                      std::chrono::milliseconds timeout, const std::stop_token& stop);
    void tell(const Result<void>& sent);
    void tellDropped();

    const Collector m_collector;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Span> m_waiting; // guarded by m_mutex
    std::size_t m_dropped = 0; // beyond the bound; guarded by m_mutex
    // Used by the thread alone:
    std::optional<std::vector<std::pair<std::string, std::string>>> m_headers;
    bool m_isRefused = false; // the log says it once
    std::size_t m_toldDropped = 0;
    std::jthread m_thread; // last: it uses all of the above
};

} // namespace sg::telemetry
