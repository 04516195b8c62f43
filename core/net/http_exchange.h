#pragma once

#include "core/base/result.h"
#include "core/net/http_answer.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace sg::net {

// One request and its answer, for code that may wait: on a thread of its own. What it reads and writes goes
// through two buffers of bounded size, so that neither a quick client nor a quick handler fills the memory.
// The functions of the first part belong to the handler's thread, but for write() and gone(), which any
// thread may use; those of the second part belong to the connection's.
class HttpExchange {
public:
    static constexpr std::size_t kMostBuffered = 256U << 10;

    // `wake` tells the connection that it can go on; any thread.
    HttpExchange(HttpHead head, std::function<void()> wake)
        : m_head(std::move(head))
        , m_wake(std::move(wake))
    {
    }
    HttpExchange(const HttpExchange&) = delete;
    HttpExchange& operator=(const HttpExchange&) = delete;

    [[nodiscard]] const HttpHead& head() const { return m_head; }
    // The next bytes of the body; empty: its end. Errc::Cancelled: the client is gone, or the server ends;
    // Timeout: the client has stopped in the middle; InvalidArgument: the body's form is wrong.
    Result<std::string> read();
    Result<std::string> readAll(std::size_t limit); // Errc::LimitExceeded
    // Gives the whole answer.
    void answer(HttpAnswer answer);
    // Or its beginning. Then write() waits until there is room for more; an answer without a length is
    // chunked.
    void begin(int status, std::string headers, std::optional<std::uint64_t> length = {});
    [[nodiscard]] bool hasBegun() const;
    [[nodiscard]] bool canWrite() const; // without waiting; any thread
    // Errc::Cancelled as above.
    Result<void> write(std::string_view bytes);
    // From now on read() and write() carry the connection's bytes as they are, with no answer of ours. In the
    // midst of chunks: what follows is missing, and the client is to notice.
    void takeOver();
    // Is requested when the client goes away, or the server ends.
    [[nodiscard]] std::stop_token gone() const { return m_gone.get_token(); }

    // The connection takes these up next.
    struct Next {
        std::optional<HttpAnswer> whole;
        bool begins = false; // then with these
        int status = 0;
        std::string headers;
        std::optional<std::uint64_t> length;
        std::string bytes;
        bool isOver = false; // the handler has returned, and all that it wrote has been taken
    };
    Next takeNext();
    [[nodiscard]] bool wantsBody() const; // there is room for more
    [[nodiscard]] bool isAskedForBody() const; // the handler waits, or has waited, for some
    [[nodiscard]] bool isTakenOver() const;
    void gotBody(std::string_view bytes);
    void endBody();
    void fail(Error why);
    void finish(); // the handler has returned

private:
    void wake() { m_wake(); }

    const HttpHead m_head;
    const std::function<void()> m_wake;
    std::stop_source m_gone;

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    // Guarded by m_mutex:
    std::string m_in;
    std::string m_out;
    std::optional<HttpAnswer> m_whole;
    std::optional<Next> m_beginning;
    std::optional<Error> m_failure;
    bool m_isBodyOver = false;
    bool m_isAsked = false;
    bool m_hasBegun = false;
    bool m_isTakenOver = false;
    bool m_isFinished = false;
};

} // namespace sg::net
