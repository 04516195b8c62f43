#pragma once

#include "core/audit/audit_log.h"
#include "core/base/result.h"
#include "core/sandbox/backend_kinds.h"
#include "core/sandbox/sandbox.h"
#include "core/sessions/module_folder.h"
#include "core/sessions/session.h"
#include "core/sessions/session_mode.h"
#include "core/settings/secret.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::sessions {

// Sessions started ahead, so that the first cell need not wait for a start.
struct PoolOptions {
    int size = 0;
    bool paused = false; // they use no CPU while they wait
};

// When a session ends without being told to; 0: never.
struct Lifetime {
    std::chrono::milliseconds idle{ 0 }; // so long without a cell
    std::chrono::milliseconds age{ 0 }; // so long after its start
    friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

// How a thread's session is to be made. What cannot change later; a session with another spec is replaced.
struct SessionSpec {
    std::string backend{ sandbox::kAutoBackend }; // the first that can be used, and has the image
    SessionMode mode;
    std::filesystem::path datasetFolder; // LOCAL_RO: at /data, HYBRID: at /heavy_data; read-only
    std::string image = "sandglass/python";
    sandbox::Limits limits;
    Lifetime lifetime;
    std::vector<std::string> preload; // Python modules imported before the first cell
    std::vector<std::string> requirements; // Python packages beside those of image or runtime, sorted
    std::vector<ModuleFolder> modules; // of the project, in the order in which they are searched
    bool offline = false; // what they need must be on this machine already
    // What it reaches of the network, see core/sandbox/egress: "api.test", "*.example.com:443"; empty:
    // nothing.
    std::vector<std::string> egress;
    std::vector<std::string>
        egressTrusts; // addresses that are allowed although they are private: "127.0.0.1:8080"
    // Secrets that the proxy puts into requests to one host, see egress_header.h; hosts that `egress` does
    // not allow are passed over.
    std::vector<std::string> secretHeaders;
    std::vector<std::string>
        secrets; // names, sorted: each a file in /run/secrets that only its code can read
    bool keep = false;
    SessionPart part;
    friend bool operator==(const SessionSpec& a, const SessionSpec& b);
};

// Finds a secret of this user by its name; may wait for a person to unlock it. Errc::Cancelled: stopped.
using SecretLookup =
    std::function<Result<settings::Secret>(const std::string& name, const std::stop_token& stop)>;
// Told of cells, artifacts, secrets and the network's use, on the thread that did it. Tenant and time are not
// set. The error: it is not written. Soon: it is a moment later, before all that are told after it.
enum class AuditWhen { Now, Soon };
using AuditListener = std::function<Result<void>(audit::AuditEntry, AuditWhen)>;

struct SessionEvent {
    enum class Kind {
        Started,
        Ended,
        Restarted,
        Sample,
        Waiting,
        Paused,
        Unpaused,
        LimitsChanged,
        Extended,
        TakenOver
    };
    Kind kind = Kind::Started;
    SessionInfo info;
    sandbox::ResourceSample sample; // for Sample
    std::string text; // why it ended or restarted, for people
};
const char* nameOf(SessionEvent::Kind kind); // as SessionNote::event has it

} // namespace sg::sessions
