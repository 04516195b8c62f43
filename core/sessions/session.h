#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sandbox/sandbox.h"
#include "core/sessions/module_folder.h"
#include "core/sessions/session_mode.h"
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

// A piece of a session's output, as it arrives.
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
    std::string traceback{}; // cut to the user's frames
    std::string repr{}; // "ValueError('boom')", may be empty
    Value raised = {}; // for another call: "mro" and "data" from the runner, or null
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
    double waitedSeconds = 0; // for its turn, or a place beside others; not part of `seconds`
    std::vector<artifacts::Artifact> artifacts; // stored after the cell
    std::optional<std::string>
        storeFailure; // this machine could not store one: "artifacts/x: … No space left"
    std::optional<std::string> lostFile; // one that cannot be stored as it is: "artifacts/x: a name that …"
    ValueList displays; // what the code showed: maps MIME type → text or bytes, in order
    std::optional<Restored> restored; // how the session was brought to where its world wanted it
    std::vector<ImportedModule> modules; // modules of the project that its run had not imported before
    std::vector<std::string> warnings; // "artifacts/x: a symbolic link, not stored", …

    [[nodiscard]] bool isWhole() const { return status == CellStatus::Ok && !storeFailure && !lostFile; }
};

// The type of a failure where a file that the code left cannot be stored as it is.
inline constexpr const char* kArtifactRefused = "ArtifactRefused";

// The type of a call's error where names that its run had left are gone: the code did not run, and
// CellResult::restored says what is missing.
inline constexpr const char* kNamesLost = "NamesLost";

// A call that runs beside others of its superstep: in a fork of the interpreter as it stood when the
// superstep began, with files of its own, which are joined to the session's when the call is done.
struct BesideOthers {
    std::string group; // the same for all calls of the superstep
    std::string who; // in messages: "node 'fan' (task 2)"
    std::string seed; // its random numbers differ by this, and are the same when it runs again
    bool keepsNames = false; // names that it sets are brought into the thread's interpreter; else dropped
};

// The type of the error of a call that wrote a path, or kept a name, which another call of its superstep had.
inline constexpr const char* kConflict = "ConflictError";

// A node function to call in the session.
struct FunctionCall {
    std::string file; // for tracebacks: "nodes/load.py"
    std::string source;
    std::string function = "node";
    Value state;
    Value config;
    ValueList answers;
    Value failed; // for an error handler: {"node", "type", "message", "repr"} and CellError::raised
    std::vector<std::string> asks; // the requests that `CellHandlers::ask` answers: "store"
    SessionWorld* world = nullptr; // null: the session is used as it is, and no snapshot is taken
    bool isOfRun = false; // a run waits for it; false: a person does
    CallSite caller; // for its world
    bool keepsFailed = false; // changes of a failed or interrupted call stay
    std::optional<BesideOthers> beside{}; // absent: it runs alone in the thread's interpreter
};

struct CellHandlers {
    std::function<void(const CellOutput&)> output; // on the thread that runs the cell
    std::function<void(const Value&)> custom;
    // Answers the code's requests to the host while it runs ("store"), on the same thread; the code gets an
    // error as an exception. Empty: it may ask nothing.
    std::function<Result<Value>(const std::string& kind, const Value& request)> ask = {};
    // Gets what the code shows, in order with the output: a map MIME type → text or bytes. The result has it
    // too.
    std::function<void(const Value&)> display = {};
    // Stands between the code and the session's datasets: answers a request itself, or by `answer`. Empty:
    // the code may ask for all.
    std::function<Result<Value>(const Value& request, const std::function<Result<Value>()>& answer)>
        datasets = {};
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
    bool isTakenUp = false; // an earlier program had started its sandbox
    sandbox::Limits limits;
    Word<SessionStorage> storage;
    Word<DatasetAccess> datasets;
    std::string layer{}; // id of the layer with its requirements; empty: it has none
    std::vector<std::string> packages{}; // of the layer: "networkx==3.3"
    std::vector<std::string>
        egress{}; // what it reaches of the network, checked when it started; empty: nothing
    std::string lastUsedAt{};
    std::string expiresAt{}; // when its lifetime ends; empty: never
    std::int64_t cells = 0;
    std::vector<SnapshotId> asleep{}; // copies of its interpreter that can be woken, by this process only
};

class ExtraInterpreter;
class RunnerLink;
class Session;

// A request of a session's code to the host, other than those of the store: for its datasets. Answered on the
// thread that runs the cell, which waits meanwhile.
struct ToolCall {
    std::string kind; // "datasets"
    Value request;
    const artifacts::ArtifactOrigin& origin; // whose cell asks; valid during the call
    std::function<bool()> goesOn; // false: the cell is being stopped, or its time is over
    std::function<void(const std::string&)> say; // prints a line for people among the cell's output
};
using ToolAnswer = std::function<Result<Value>(Session&, const ToolCall&)>;

// One sandbox with a live interpreter. Cells run one at a time, in the order of their callers. Any thread.
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
    // A cell in a further interpreter of this session: it waits for no other cell, and stores no artifacts.
    virtual CellResult runIn(ExtraInterpreter& interpreter, const std::string& code,
                             const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                             std::stop_token stop) = 0;
    virtual Result<sandbox::ResourceSample> sample() = 0;
    // The link to its present sandbox, for introspection.h and session_files.h, also while a cell runs; null:
    // there is no sandbox.
    virtual std::shared_ptr<RunnerLink> link() = 0;
    enum class Terminal { Opened, Closed };
    virtual void noteTerminal(Terminal) { } // audits what became of a shell on a terminal
    virtual void end() = 0;
};

} // namespace sg::sessions
