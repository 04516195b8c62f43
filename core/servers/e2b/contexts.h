#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sessions/cell_line.h"
#include "core/sessions/session.h"

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::sessions {
class ExtraInterpreter;
}

namespace sg::servers::e2b {

inline constexpr const char* kOwnContext = "default"; // the session's own interpreter
inline constexpr std::size_t kMostContexts = 16; // besides it

// A place where code runs, with names of its own: the session's interpreter, or a further one in its sandbox.
// It runs the calls in the order in which they came. Any thread.
class Context {
public:
    // `environment`: variables of all its code; `cwd`: empty for the home folder.
    Context(std::string id, std::string cwd, Value environment);
    ~Context();

    [[nodiscard]] const std::string& id() const { return m_id; }
    [[nodiscard]] Value value() const; // {"id", "language", "cwd"}

    // One execution: its turn, and what must be done before and after it.
    struct Work {
        std::string code;
        Value variables; // of this execution alone; null: none
        std::function<void(int)> begins; // which execution it is
        sessions::CellHandlers handlers;
    };
    // CellStatus::Stopped: it was stopped, by `stop` or by halt().
    sessions::CellResult run(sessions::Session& session, const Work& work, const std::stop_token& stop);
    // Gets ready to run. Errc::InvalidArgument: there is no such folder.
    Result<void> start(sessions::Session& session, const std::stop_token& stop);
    // Interrupts what runs. Then there is a fresh interpreter.
    Result<void> restart(sessions::Session& session, const std::stop_token& stop);
    void halt(); // interrupts what runs, and has nothing run from now on
    void pump();

private:
    using Interpreter = std::shared_ptr<sessions::ExtraInterpreter>;
    Result<Interpreter> interpreter(sessions::Session& session);
    Result<void> prepare(sessions::Session& session, const std::stop_token& stop);
    sessions::CellResult cell(sessions::Session& session, const std::string& code,
                              const sessions::CellHandlers& handlers, const std::stop_token& stop);
    std::stop_token begin();
    void interrupt();

    const std::string m_id;
    const std::string m_cwd;
    const Value m_environment;
    sessions::CellLine m_line;
    std::mutex m_mutex;
    // Guarded by m_mutex:
    Interpreter m_extra;
    std::stop_source m_running;
    bool m_isHalted = false;
    // Only the caller whose turn it is in m_line touches these:
    int m_executions = 0;
    bool m_isReady = false;
};
using ContextPtr = std::shared_ptr<Context>;

// A sandbox's contexts. Any thread.
class Contexts {
public:
    explicit Contexts(Value environment);
    // Errc::LimitExceeded: there are kMostContexts already.
    Result<ContextPtr> create(sessions::Session& session, const std::string& cwd,
                              const std::stop_token& stop);
    ContextPtr find(const std::string& id); // null: none
    std::vector<ContextPtr> all();
    bool remove(const std::string& id);
    void end(); // the sandbox has ended
    void pump();

private:
    const Value m_environment;
    std::mutex m_mutex;
    std::map<std::string, ContextPtr> m_byId; // guarded by m_mutex
    std::size_t m_starting = 0; // guarded by m_mutex
};

} // namespace sg::servers::e2b
