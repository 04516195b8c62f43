#include "core/workers/worker_metrics.h"

#include <array>
#include <cstdio>
#include <mutex>
#include <string_view>

namespace sg::workers {
namespace {

constexpr std::chrono::milliseconds kPatience{ 2000 };

class MetricsWriter {
public:
    explicit MetricsWriter(const std::string& role)
        : m_label("{role=\"" + role + "\"}")
    {
    }

    void add(std::string_view name, const char* type, const char* help, double value)
    {
        head(name, type, help);
        m_text += "sandglass_" + std::string(name) + m_label + " " + number(value) + "\n";
    }

    void head(std::string_view name, const char* type, const char* help)
    {
        m_text += "# HELP sandglass_" + std::string(name) + " " + help + "\n# TYPE sandglass_"
            + std::string(name) + " " + type + "\n";
    }

    void histogram(const WorkerFigures& figures)
    {
        head("job_seconds", "histogram", "How long this worker's jobs took.");
        const std::string role = m_label.substr(0, m_label.size() - 1);
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < figures.durations.size(); ++i) {
            sum += figures.durations.at(i);
            const std::string bound =
                i < WorkerFigures::kBounds.size() ? number(WorkerFigures::kBounds.at(i)) : "+Inf";
            m_text += "sandglass_job_seconds_bucket" + role + ",le=\"" + bound + "\"} " + std::to_string(sum)
                + "\n";
        }
        m_text += "sandglass_job_seconds_sum" + m_label + " "
            + number(static_cast<double>(figures.tookMicros) / 1e6) + "\n";
        m_text += "sandglass_job_seconds_count" + m_label + " " + std::to_string(sum) + "\n";
    }

    std::string take() { return std::move(m_text); }

private:
    static std::string number(double value)
    {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%.12g", value);
        return text.data();
    }

    const std::string m_label; // a role's name needs no escapes
    std::string m_text;
};

} // namespace

std::string metricsText(const std::string& role, const WorkerFigures& figures, const PoolView* pool)
{
    MetricsWriter out(role);
    out.add("worker_up", "gauge", "Whether the worker's queue answers.", pool != nullptr ? 1 : 0);
    out.add("worker_busy", "gauge", "Jobs that this worker does now.", static_cast<double>(figures.busy));
    out.add("worker_done_total", "counter", "Jobs that this worker has done.",
            static_cast<double>(figures.done));
    out.add("lease_lost_total", "counter", "Results of this worker that were refused.",
            static_cast<double>(figures.stale));
    out.histogram(figures);
    if (pool == nullptr)
        return out.take();
    const auto counter = [&](const char* name) {
        const auto found = pool->counters.find(name);
        return found == pool->counters.end() ? 0.0 : static_cast<double>(found->second);
    };
    out.add("queue_depth", "gauge", "Jobs that wait for a worker.", static_cast<double>(pool->ready));
    if (pool->lag)
        out.add("queue_lag", "gauge", "Entries of the stream that no worker has read.",
                static_cast<double>(*pool->lag));
    out.add("queue_delayed", "gauge", "Jobs that are tried later.", static_cast<double>(pool->delayed));
    out.add("inflight", "gauge", "Jobs that workers do now.", static_cast<double>(pool->running));
    out.add("oldest_seconds", "gauge", "Age of the oldest job that waits for a worker.", pool->oldestSeconds);
    out.add("dead_letters", "gauge", "Dead letters that nobody has tried again.",
            static_cast<double>(pool->dead));
    out.add("done_total", "counter", "Jobs that were done.", counter("done"));
    out.add("retries_total", "counter", "Attempts that failed and were tried again.", counter("retried"));
    out.add("dead_total", "counter", "Jobs that were given up.", counter("dead"));
    out.add("lost_total", "counter", "Jobs that were taken back from lost workers.", counter("lost"));
    out.add("workers", "gauge", "Workers that live.", static_cast<double>(pool->workers.size()));
    return out.take();
}

Result<std::unique_ptr<WorkerMetrics>> WorkerMetrics::start(const net::HttpServerOptions& options,
                                                            const QueueAddress& address,
                                                            const QueueName& queue, const Worker& worker)
{
    struct Source {
        Redis redis;
        std::mutex mutex; // for `redis`
    };
    const std::shared_ptr<Source> source(new Source{ Redis(address, kPatience), {} });
    std::unique_ptr<WorkerMetrics> made(new WorkerMetrics);
    net::HttpServer::Service service;
    service.quick = [](const net::HttpHead& head) -> std::optional<net::HttpAnswer> {
        if (net::pathOf(head.target) == "/metrics" && head.method == "GET")
            return std::nullopt;
        return net::textAnswer(404, "There is only GET /metrics.\n");
    };
    service.exchange = [source, queue, &worker](net::HttpExchange& exchange) {
        const std::lock_guard lock(source->mutex);
        const auto pool = Pools(source->redis, queue.ns).look(queue.role);
        exchange.answer(
            net::textAnswer(200, metricsText(queue.role, worker.figures(), pool ? &*pool : nullptr)));
    };
    auto started = net::HttpServer::start(options, std::move(service));
    if (!started)
        return std::move(started.error());
    made->m_http = std::move(*started);
    return made;
}

} // namespace sg::workers
