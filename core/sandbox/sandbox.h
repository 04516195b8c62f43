#pragma once

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The interface of every backend: start a sandbox, one byte stream to its process, resource use, an end.
// Frames, cells, artifacts and snapshots are built on top (core/sessions).
namespace sg::sandbox {

struct Limits {
    std::int64_t memoryBytes = 2LL << 30; // no swap
    std::int64_t tmpfsBytes = 1LL << 30; // sum of all tmpfs; counts as memory
    std::int64_t pids = 256;
    double cpus = 2;
    std::int64_t openFiles =
        4096; // of each of the code's processes; lower where it shares its user, see code_limits.h
};

struct Mount {
    std::filesystem::path host;
    std::string inside; // absolute
    bool readOnly = true;
    bool canMiss = false; // left out where an engine sees no folder of this machine
    // Our own folder, handed over to the sandbox's user where that differs from ours.
    bool givenToUser = false;
};

struct SandboxSpec {
    SessionId session;
    ThreadId thread{}; // the session's thread, for the label
    std::string part{}; // which of its sessions
    std::string project; // first 8 hex digits of the project's id: names and labels
    std::string image = "sandglass/python"; // docker
    std::string connection{}; // e2b: the name of the user's; empty: the only one
    std::filesystem::path
        python; // bubblewrap: root of the virtual environment; empty: the system's Python alone
    std::filesystem::path runnerFolder; // resources/sandbox, bound read-only
    std::filesystem::path sessionFolder; // BIND: becomes /session, read-write; empty: /session is a tmpfs
    std::vector<Mount> mounts; // /data and the like
    bool dataTmpfs = false; // /data is a separate tmpfs, where datasets are staged
    bool secrets = false; // /run/secrets is a tmpfs that only the sandbox's user can read
    Limits limits;
    bool keep = false; // outlives this process if the backend can do that
    std::chrono::seconds orphanTimeout{
        15
    }; // the runner ends itself after that long without a connection; 0: never
};

// The stream to the runner. One thread may read while another writes; nothing more.
class ByteStream {
public:
    virtual ~ByteStream() = default;
    // Returns at least one byte; 0 at the end of the stream; Errc::Timeout.
    virtual Result<std::size_t> read(char* buffer, std::size_t size, std::chrono::milliseconds timeout) = 0;
    virtual Result<void> write(std::string_view bytes) = 0; // all of it
    virtual void close() = 0; // any thread; ends a blocked read
};

struct ResourceSample {
    WallTime time;
    double cpuSeconds = 0; // since the start
    double cpuPercent = 0; // since the last sample; 100 = one core; 0 in the first
    std::int64_t memoryBytes = 0; // without page cache
    std::int64_t memoryLimit = 0; // 0: none enforced
    std::int64_t pids = 0;
    std::int64_t pidsLimit = 0;
    std::int64_t oomKills = 0; // processes killed at the memory limit since the start, where known
    bool oomKillsKnown = false; // oomKills counts all of them
    std::chrono::milliseconds throttled{ 0 }; // time held back at the CPU limit, since the start
    std::int64_t diskBytes = 0; // of the session's own files; 0 where that is not known
    std::int64_t diskLimit = 0; // 0: none enforced
};

enum class SandboxEnd {
    Running,
    Stopped, // by us
    Exited, // its first process ended by itself
    OutOfMemory,
    Lost, // the engine or the stream is gone
};

// One running sandbox. The destructor ends it (unless kept) and leaves nothing behind. Any thread; for
// stream() see ByteStream.
class Sandbox {
public:
    virtual ~Sandbox() = default;
    [[nodiscard]] virtual std::string name() const = 0; // container name, or "bubblewrap pid 123"
    virtual ByteStream& stream() = 0;
    virtual Result<ResourceSample> sample() = 0;
    [[nodiscard]] virtual SandboxEnd state() = 0;
    // A bounded, printable part of the runner's stderr: the reason where the stream ended early.
    [[nodiscard]] virtual std::string lastWords() = 0;
    virtual void end() = 0; // idempotent; returns when all its processes are gone
    // Stops all its processes, which keep their memory; no error where they are stopped, or run, already.
    // Errc::Unsupported: the backend cannot do it.
    virtual Result<void> pause();
    virtual Result<void> unpause();
    [[nodiscard]] virtual bool isPaused() { return false; }
    // Returns when its service ends it unless it is asked for more time; none on this machine.
    [[nodiscard]] virtual std::optional<WallTime> endsAt() { return std::nullopt; }
    // Changes memory, processes and CPUs while it runs; the others are fixed. Errc::Unsupported: limits are
    // set on each process; InvalidArgument: the kernel refuses (less memory than is in use).
    virtual Result<void> setLimits(const Limits& limits);
};

struct Weakness {
    std::string text; // a sentence for people
    std::string mend; // what they can do about it
};

struct BackendInfo {
    std::string name; // "docker", "bubblewrap"
    std::string version; // "Docker 20.10.24, runc"
    std::string isolation; // the word the UI shows: "container", "namespaces"
    bool limitsEnforced = true; // false: "weak limits"
    std::string runtime; // that starts containers, from the engine: "runc 1.1.12"; empty: none, or unknown
    std::vector<Weakness> weaknesses;
};

// A running sandbox of this or an earlier process.
struct FoundSandbox {
    std::string name;
    SessionId session;
    std::string project;
    std::string owner; // instance id of the process that started it
    bool kept = false;
    bool ownerAlive = false;
    std::string createdAt;
    ThreadId thread{}; // empty where the sandbox does not say
    std::string part{};
    std::string ownerProcess{}; // its mark, see owner_process.h
    bool paused = false;
    std::string connection{}; // through which it was found; empty: it is on this machine
    std::string endsAt{}; // when its service ends it, as ISO 8601; empty: never, or unknown
};

class SandboxBackend {
public:
    virtual ~SandboxBackend() = default;
    // Errc::Unavailable says what to install or start.
    virtual Result<BackendInfo> probe() = 0;
    // Returns when the stream to the runner is open; the caller sends the hello.
    virtual Result<std::unique_ptr<Sandbox>> start(const SandboxSpec& spec) = 0;
    virtual Result<std::vector<FoundSandbox>> find() = 0; // empty where sandboxes die with their process
    virtual Result<std::unique_ptr<Sandbox>> attach(const FoundSandbox& found) = 0;
    virtual Result<void> remove(const FoundSandbox& found) = 0;
    // Identifies the interpreter, platform and packages of a sandbox of that spec, which decide what other
    // packages fit. Starts nothing. Errc::NotFound: its image or Python is missing.
    virtual Result<std::string> pythonIdentity(const SandboxSpec& spec);
};

} // namespace sg::sandbox
