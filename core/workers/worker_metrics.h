#pragma once

#include "core/net/http_server.h"
#include "core/workers/pools.h"
#include "core/workers/worker.h"

#include <cstdint>
#include <memory>
#include <string>

namespace sg::workers {

// The figures of one worker and of its role's queue, as Prometheus reads them. `pool` is null where Redis
// does not answer.
std::string metricsText(const std::string& role, const WorkerFigures& figures, const PoolView* pool);

// Answers GET /metrics. The worker must outlive it.
class WorkerMetrics {
public:
    // Errc::Exists: the port is taken.
    static Result<std::unique_ptr<WorkerMetrics>> start(const net::HttpServerOptions& options,
                                                        const QueueAddress& address, const QueueName& queue,
                                                        const Worker& worker);
    [[nodiscard]] std::uint16_t port() const { return m_http->port(); }

private:
    WorkerMetrics() = default;
    std::unique_ptr<net::HttpServer> m_http;
};

} // namespace sg::workers
