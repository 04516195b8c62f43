#pragma once

#include "core/net/connect_rpc.h"
#include "core/sandbox/e2b/service.h"
#include "core/sandbox/sandbox.h"

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sg::sandbox::e2b {

// The standard streams of a process in a sandbox elsewhere. Its output is one stream of Connect RPC that a
// thread of this object reads; input is sent in calls, each of which has arrived when it is answered, so that
// a gateway which holds requests back until they are whole does no harm.
class ProcessStream final : public ByteStream {
public:
    struct Wish {
        std::string command;
        ValueList arguments;
    };
    // Returns once the process runs. Errc::Unavailable: it could not be reached, or ended at once.
    static Result<std::unique_ptr<ProcessStream>> start(std::shared_ptr<Service> service, Access access,
                                                        const Wish& wish);
    ~ProcessStream() override;

    Result<std::size_t> read(char* buffer, std::size_t size, std::chrono::milliseconds timeout) override;
    Result<void> write(std::string_view bytes) override;
    void close() override;

    // While the sandbox is paused its stream may break off: readers wait, and nothing is sent.
    void hold();
    void letGo();
    // Follows the process again after the sandbox was resumed. What it printed in between is lost, so it must
    // have been silent. Errc::NotFound: it is gone, and its memory with it.
    Result<void> follow(const Access& access);
    [[nodiscard]] Access access(); // with the tokens that were good last
    Result<void> renew(); // asks the service for other tokens
    // The connection ended although the process had not: it may be followed again.
    [[nodiscard]] bool isCutOff();
    [[nodiscard]] bool hasEnded();
    // The kept part of stderr, and how the stream ended.
    [[nodiscard]] std::string errors();

private:
    ProcessStream(std::shared_ptr<Service> service, Access access);
    Result<void> begin(const std::string& method, const Value& message);
    Result<net::HttpResponse> sendInput(std::string_view bytes);
    void receive(const std::stop_token& stop, const net::HttpRequest& request);
    bool take(int status, std::string_view piece, net::RpcReader& reader);
    void takeEvent(const Value& event);

    const std::shared_ptr<Service> m_service;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    // Guarded by m_mutex:
    Access m_access;
    std::string m_in; // stdout that nobody has read yet
    std::size_t m_at = 0;
    std::string m_errors;
    std::string m_why; // how the stream ended
    std::string m_refusal; // body of an answer that is no stream
    Errc m_code = Errc::Unavailable; // of m_why
    std::int64_t m_pid = 0;
    bool m_isOver = false; // nothing more comes
    bool m_hasEnded = false; // because the process has ended
    bool m_isClosed = false;
    bool m_isHeld = false;
    std::stop_source m_stop;
    std::jthread m_reader; // last: it uses the others
};

} // namespace sg::sandbox::e2b
