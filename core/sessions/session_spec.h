#pragma once

#include "core/audit/audit_log.h"
#include "core/base/result.h"
#include "core/sandbox/backend_kinds.h"
#include "core/sandbox/sandbox.h"
#include "core/sessions/module_folder.h"
#include "core/sessions/session.h"
#include "core/sessions/session_event.h"
#include "core/sessions/session_mode.h"
#include "core/settings/secret.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::sessions {

// A number of sessions is started ahead, so that the first cell need not wait for a start.
struct PoolOptions {
    int size = 0;
    bool paused = false; // they use no CPU while they wait
};

// When a session ends on its own; 0: never.
struct Lifetime {
    std::chrono::milliseconds idle{ 0 }; // time without a cell
    std::chrono::milliseconds age{ 0 }; // time since its start
    friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

// The settings of a thread's session; it is replaced where one differs that cannot be changed later.
struct SessionSpec {
    std::string backend{ sandbox::kAutoBackend }; // "auto": the first that can be used and has the image
    std::string connection{}; // of a backend elsewhere: the name of the user's; empty: the only one
    SessionMode mode;
    std::filesystem::path datasetFolder; // LOCAL_RO: at /data, HYBRID: at /heavy_data; read-only
    std::string image = "sandglass/python";
    sandbox::Limits limits;
    Lifetime lifetime;
    std::vector<std::string> preload; // Python modules imported before the first cell
    std::vector<std::string> requirements; // Python packages added to those of image or runtime, sorted
    std::vector<ModuleFolder> modules; // of the project, in the order in which they are searched
    bool offline = false; // packages and image must be on this machine already
    // Hosts that it may reach, see core/sandbox/egress: "api.test", "*.example.com:443"; empty: none.
    std::vector<std::string> egress;
    std::vector<std::string> egressTrusts; // private addresses that are allowed: "127.0.0.1:8080"
    // Secrets that the proxy puts into requests to a host, see egress_header.h; hosts that `egress` does not
    // allow are ignored.
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
// Gets audit rows of cells, artifacts, secrets and network use, without tenant and time, on the thread that
// did it. An error: the row was not written. Soon: it is written a moment later, before later rows.
enum class AuditWhen { Now, Soon };
using AuditListener = std::function<Result<void>(audit::AuditEntry, AuditWhen)>;

struct SessionEvent {
    using Kind = SessionEventKind;
    Kind kind = Kind::Started;
    SessionInfo info;
    sandbox::ResourceSample sample{}; // for Sample
    std::string text{}; // why it ended or restarted, for people
};

} // namespace sg::sessions
