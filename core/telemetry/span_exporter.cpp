#include "core/telemetry/span_exporter.h"

#include "core/base/log.h"
#include "core/base/redaction.h"
#include "core/net/http_client.h"

#include <algorithm>
#include <iterator>

namespace sg::telemetry {
namespace {

constexpr std::size_t kBatch = 512;
constexpr std::chrono::milliseconds kPause{ 500 }; // in which spans gather
constexpr std::chrono::milliseconds kTimeout{ 10'000 };
constexpr std::chrono::milliseconds kLastTimeout{ 2'000 };
constexpr std::size_t kMostAnswer = 1U << 20;

} // namespace

SpanExporter::SpanExporter(Collector collector)
    : m_collector(std::move(collector))
    , m_thread([this](const std::stop_token& stop) { work(stop); })
{
}

SpanExporter::~SpanExporter()
{
    m_thread.request_stop();
    m_thread.join();
}

void SpanExporter::add(Span span)
{
    const std::lock_guard lock(m_mutex);
    if (m_waiting.size() >= kMostWaiting) {
        ++m_dropped;
        return;
    }
    m_waiting.push_back(std::move(span));
    m_changed.notify_one();
}

std::vector<Span> SpanExporter::take()
{
    const std::lock_guard lock(m_mutex);
    const auto end = m_waiting.begin() + static_cast<std::ptrdiff_t>(std::min(m_waiting.size(), kBatch));
    std::vector<Span> batch(std::make_move_iterator(m_waiting.begin()), std::make_move_iterator(end));
    m_waiting.erase(m_waiting.begin(), end);
    return batch;
}

void SpanExporter::work(const std::stop_token& stop)
{
    net::HttpClient client;
    std::vector<Span> batch;
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, stop, [this] { return !m_waiting.empty(); });
            m_changed.wait_for(lock, stop, kPause, [this] { return m_waiting.size() >= kBatch; });
        }
        batch = take();
        if (batch.empty())
            continue;
        const auto sent = send(client, batch, kTimeout, stop);
        if (!sent && sent.error().code == Errc::Cancelled)
            break; // it is sent once more below
        batch.clear();
        tell(sent);
        if (m_toldDropped == 0) // the whole number follows at the end
            tellDropped();
    }
    const auto end = std::chrono::steady_clock::now() + kLastTimeout;
    for (; !batch.empty() || !(batch = take()).empty(); batch.clear()) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        if (left.count() <= 0)
            break;
        const auto sent = send(client, batch, left, {});
        tell(sent);
        if (!sent)
            break;
    }
    {
        const std::lock_guard lock(m_mutex);
        m_dropped += m_waiting.size() + batch.size();
    }
    tellDropped();
}

Result<void> SpanExporter::send(net::HttpClient& client, const std::vector<Span>& spans,
                                std::chrono::milliseconds timeout, const std::stop_token& stop)
{
    if (!m_headers) {
        auto headers = m_collector.headers(stop);
        if (!headers)
            return std::move(headers.error());
        m_headers = std::move(*headers);
    }
    net::HttpRequest request;
    request.method = "POST";
    request.url = m_collector.url;
    request.headers = *m_headers;
    request.headers.emplace_back("Content-Type", "application/json");
    request.body = otlpTraces(spans);
    request.timeout = timeout;
    request.connectTimeout = std::min(timeout, request.connectTimeout);
    request.bodyLimit = kMostAnswer;
    request.authorities = m_collector.authorities;
    request.stop = stop;
    const auto answer = client.send(request);
    if (!answer)
        return answer.error();
    if (answer->status >= 300)
        return Error{ Errc::Io, "it answered " + std::to_string(answer->status) };
    return {};
}

void SpanExporter::tell(const Result<void>& sent)
{
    if (sent) {
        m_isRefused = false;
    } else if (!std::exchange(m_isRefused, true)) {
        logMessage(
            LogLevel::Warning,
            withoutLikelySecrets("OpenTelemetry: the collector " + m_collector.url
                                 + " does not take spans, which are dropped: " + sent.error().message));
    }
}

void SpanExporter::tellDropped()
{
    std::size_t dropped = 0;
    {
        const std::lock_guard lock(m_mutex);
        dropped = m_dropped;
    }
    if (dropped == std::exchange(m_toldDropped, dropped))
        return;
    logMessage(LogLevel::Warning,
               withoutLikelySecrets("OpenTelemetry: the collector " + m_collector.url
                                    + " is slower than the run; spans that were dropped: "
                                    + std::to_string(dropped)));
}

} // namespace sg::telemetry
