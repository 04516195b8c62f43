#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sandbox/sandbox.h"
#include "core/sessions/module_folder.h"
#include "core/sessions/session_part.h"
#include "core/sessions/session_state.h"
#include "core/sessions/session_world.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::sessions {

// What a session printed, as it comes.
struct CellOutput {
    enum class Stream { Stdout, Stderr, Event };
    Stream stream = Stream::Stdout;
    std::string bytes;
};

struct CellLimits {
    std::chrono::milliseconds deadline{ 120'000 };
    std::int64_t outputBytes = 8LL << 20;
    std::int64_t stateBytes =
        256LL << 20; // of what the code is given, or returns, at once; from 64 MiB to 1 GiB
};

struct CellError {
    std::string type; // "ValueError"
    std::string message;
    std::string traceback; // cut to the user's frames
    std::string repr; // "ValueError('boom')", may be empty
    Value raised = {}; // for another call: "mro" and "data" as the runner tells them, or null
};

enum class CellStatus {
    Ok,
    Error, // the code raised
    Interrupt, // LangGraph's interrupt() without an answer
    TimedOut,
    Stopped, // by the stop token
    Died, // the interpreter or the whole sandbox ended
};

struct CellResult {
    CellStatus status = CellStatus::Ok;
    Value value; // a cell: its last expression as a map MIME type → text or bytes, "text/plain" always
                 // among them, or null; a call: what the function returned
    Value interruptValue;
    int answersUsed = 0;
    std::optional<CellError> error; // for every status but Ok and Interrupt
    bool restarted = false; // a fresh interpreter: names are gone
    std::int64_t droppedBytes = 0; // output over the limit
    double seconds = 0;
    std::vector<artifacts::Artifact> artifacts; // stored after the cell
    std::optional<std::string>
        storeFailure; // this machine could not store one: "artifacts/x: … No space left"
    ValueList displays; // what the code showed: maps MIME type → text or bytes, in order
    std::optional<Restored> restored; // before the call, where its world asked for it
    std::vector<ImportedModule> modules; // of the project, that its run had not imported before
    std::vector<std::string> warnings; // "artifacts/x: a symbolic link, not stored", …
};

// The type of a call's error where its run had left names in the session that are gone: the code did not run,
// and CellResult::restored says what is missing.
inline constexpr const char* kNamesLost = "NamesLost";

// A node function to call in the session.
struct FunctionCall {
    std::string file; // for tracebacks: "nodes/load.py"
    std::string source;
    std::string function = "node";
    Value state;
    Value config;
    ValueList answers;
    Value failed; // of an error handler: {"node", "type", "message", "repr"} and what CellError::raised holds
    std::vector<std::string> asks; // what `CellHandlers::ask` answers: "store"
    SessionWorld* world = nullptr; // null: the session is used as it is, and no snapshot is taken
    bool isOfRun = false; // which waits for it; else a person does
    CallSite caller; // for its world
    bool keepsFailed = false; // what a failed or interrupted call changed stays
};

struct CellHandlers {
    std::function<void(const CellOutput&)> output; // on the thread that runs the cell
    std::function<void(const Value&)> custom;
    // The code's requests to the host while it runs ("store"), on the same thread; an error is raised where
    // it asked. Empty: it may ask nothing.
    std::function<Result<Value>(const std::string& kind, const Value& request)> ask = {};
    // What the code shows, in its place among the output: a map MIME type → text or bytes. Also in the
    // result.
    std::function<void(const Value&)> display = {};
};

struct SessionInfo {
    SessionId id;
    ThreadId thread;
    SessionPart part;
    std::string backend; // "docker"
    std::string isolation;
    std::string sandboxName;
    SessionState state;
    std::string createdAt;
    bool limitsEnforced = true;
    sandbox::Limits limits;
    std::string storage; // "TMPFS", "BIND"
    std::string datasets;
    std::string layer{}; // id of the layer with its requirements; empty: it has none
    std::vector<std::string> packages{}; // of the layer: "networkx==3.3"
    std::vector<std::string>
        egress{}; // what it reaches of the network, checked when it started; empty: nothing
    std::string lastUsedAt{};
    std::string expiresAt{}; // when it ends without being told to; empty: never
    std::int64_t cells = 0;
    std::vector<SnapshotId> asleep{}; // copies of its interpreter that can be woken; of this process's alone
};

class RunnerLink;
class Session;

// What the code of a session asks of the host beside the store: its datasets. On the thread that runs the
// cell, which waits meanwhile.
struct ToolCall {
    std::string kind; // "datasets"
    Value request;
    std::function<bool()> goesOn; // false: the cell is being stopped, or its time is over
    std::function<void(const std::string&)> say; // a line for people, among what the cell prints
};
using ToolAnswer = std::function<Result<Value>(Session&, const ToolCall&)>;

// One sandbox with a live interpreter. Cells run one at a time (callers wait in line). Any thread.
class Session {
public:
    virtual ~Session() = default; // ends the sandbox unless it is kept
    [[nodiscard]] virtual SessionInfo info() const = 0;
    virtual CellResult runCell(const std::string& code, const CellLimits& limits,
                               const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                               std::stop_token stop) = 0;
    virtual CellResult call(const FunctionCall& call, const CellLimits& limits,
                            const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                            std::stop_token stop) = 0;
    virtual Result<sandbox::ResourceSample> sample() = 0;
    // To its sandbox as it is now, for introspection.h and session_files.h, also while a cell runs; null
    // where it has none.
    virtual std::shared_ptr<RunnerLink> link() = 0;
    // For the audit: a shell on a terminal in it "opened", or "closed".
    virtual void noteTerminal(const char* /*outcome*/) { }
    virtual void end() = 0;
};

} // namespace sg::sessions
