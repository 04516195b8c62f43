#pragma once

#include "core/base/clock.h"
#include "core/net/http_server.h"

#include <string>

namespace sg::net {

// One connection of an HttpServer: what has come of the next request, what is left of the answer. One thread.
class HttpConnection {
public:
    HttpConnection(Fd socket, const HttpServerOptions& options, SteadyTime now);

    [[nodiscard]] int socket() const { return m_socket.get(); }
    // What can be done without waiting. False: it is over.
    bool go(const HttpServer::Handler& handler, SteadyTime now);
    [[nodiscard]] bool wantsToWrite() const { return m_isAnswering; }
    [[nodiscard]] SteadyTime deadline() const { return m_deadline; }

private:
    enum class Step { Done, Waits, Over };
    Step readMore();
    Step answerNext(const HttpServer::Handler& handler);
    void begin(HttpAnswer answer, const HttpHead& head);
    Step writeMore();

    const Fd m_socket;
    const HttpServerOptions& m_options;
    SteadyTime m_deadline;
    std::string m_in;
    bool m_isAnswering = false;
    bool m_closes = false; // after the answer
    std::string m_head; // of the answer
    std::size_t m_headSent = 0;
    HttpAnswer m_answer;
    std::uint64_t m_bodySent = 0;
    std::uint64_t m_bodySize = 0;
};

} // namespace sg::net
