#pragma once

#include "core/base/clock.h"
#include "core/net/http_server.h"

#include <string>

namespace sg::net {

// One connection of an HttpServer: a request's received part, and the rest of an answer. One thread.
class HttpConnection {
public:
    HttpConnection(Fd socket, const HttpServerOptions& options, SteadyTime now);

    [[nodiscard]] int socket() const { return m_socket.get(); }
    // Does what is possible without waiting, up to a fair share. False: the connection is over.
    bool go(const HttpServer::Handler& handler, SteadyTime now);
    // True: it can go on as soon as the socket is writable.
    [[nodiscard]] bool wantsToWrite() const { return m_isAnswering || m_hasMore; }
    [[nodiscard]] SteadyTime deadline() const { return m_deadline; }
    // Returns from when on it is useless: no request is under way, or its answer is taken too slowly.
    [[nodiscard]] SteadyTime uselessFrom() const { return m_uselessFrom; }
    [[nodiscard]] bool isAnswering() const { return m_isAnswering; }

private:
    enum class Step { Done, Waits, Over };
    Step readMore();
    Step answerNext(const HttpServer::Handler& handler, SteadyTime now);
    void begin(HttpAnswer answer, const HttpHead& head, SteadyTime now);
    Step writeMore();
    void noteSent(std::uint64_t bytes, SteadyTime now);

    const Fd m_socket;
    const HttpServerOptions& m_options;
    SteadyTime m_deadline;
    SteadyTime m_answerEnd; // the whole answer must have been taken by then
    SteadyTime m_uselessFrom;
    std::string m_in;
    std::uint64_t m_turnBytes = 0; // bytes sent in this turn
    bool m_hasMore = false; // m_in may hold another request, for the next turn
    bool m_isAnswering = false;
    bool m_closes = false; // the connection ends after the answer
    std::string m_head; // of the answer
    std::size_t m_headSent = 0;
    HttpAnswer m_answer;
    std::uint64_t m_bodySent = 0;
    std::uint64_t m_bodySize = 0;
};

} // namespace sg::net
