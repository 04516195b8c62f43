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
    // What can be done without waiting, as far as is fair to others. False: it is over.
    bool go(const HttpServer::Handler& handler, SteadyTime now);
    // As soon as it can, there is something to be done.
    [[nodiscard]] bool wantsToWrite() const { return m_isAnswering || m_hasMore; }
    [[nodiscard]] SteadyTime deadline() const { return m_deadline; }
    // Since when it is of no use, or from when on where it takes nothing more: no request is under way, or
    // its answer is taken too slowly.
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
    SteadyTime m_answerEnd; // when all of the answer must have been taken
    SteadyTime m_uselessFrom;
    std::string m_in;
    std::uint64_t m_turnBytes = 0; // sent in this turn
    bool m_hasMore = false; // in m_in, for its next turn
    bool m_isAnswering = false;
    bool m_closes = false; // after the answer
    std::string m_head; // of the answer
    std::size_t m_headSent = 0;
    HttpAnswer m_answer;
    std::uint64_t m_bodySent = 0;
    std::uint64_t m_bodySize = 0;
};

} // namespace sg::net
