#include "core/layers/layer_install.h"

#include "core/base/errno_error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/base/word.h"
#include "core/layers/packages_folder.h"
#include "core/sessions/runner/cell_frames.h"
#include "core/sessions/runner/live_sandbox.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace sg::layers {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kPipInside = "/opt/sandglass/pip/pip.whl";
constexpr const char* kAuthoritiesInside = "/opt/sandglass/pip/authorities.pem";
constexpr const char* kScript = "install_packages.py";
constexpr std::size_t kMostScript = 1U << 20;
constexpr std::size_t kMostResult = 8U << 20;
constexpr std::size_t kMostLine = 400;
constexpr std::int64_t kMostOutput = 8LL << 20;
constexpr auto kMostTime = 30min;
constexpr auto kLookAtSize = 500ms;

// Passes on whole lines.
class Lines {
public:
    explicit Lines(std::function<void(const std::string&)> say)
        : m_say(std::move(say))
    {
    }
    void add(std::string_view bytes)
    {
        for (const char c : bytes) {
            if (c != '\n' && m_line.size() < kMostLine)
                m_line += c;
            if (c == '\n' && m_say && !m_line.empty())
                m_say(printableText(m_line));
            if (c == '\n')
                m_line.clear();
        }
    }

private:
    const std::function<void(const std::string&)> m_say;
    std::string m_line;
};

std::string listed(const std::vector<std::string>& texts)
{
    constexpr std::size_t kShown = 8;
    std::string list;
    for (std::size_t i = 0; i < std::min(texts.size(), kShown); ++i)
        list += (i == 0 ? "" : ", ") + texts[i];
    return texts.size() > kShown ? list + " and " + std::to_string(texts.size() - kShown) + " more" : list;
}

bool usesNetwork(const InstallJob& job)
{
    return !job.wish.offline && job.pip.usesNetwork;
}

SessionId sandboxId(const InstallJob& job)
{
    return SessionId("layer-" + job.work.filename().string().substr(5)); // without ".new-"
}

// Returns this machine's certificate authorities unless the user has chosen some: Debian's pip and some
// images have none of their own. Empty: pip's own choice.
fs::path authoritiesOf(const InstallJob& job)
{
    for (const char* chosen : { "PIP_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE" })
        if (job.pip.environment.contains(chosen))
            return {};
    std::error_code failed;
    for (const char* place : { "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt" })
        if (usesNetwork(job) && fs::is_regular_file(place, failed))
            return place;
    return {};
}

sandbox::SandboxSpec sandboxSpec(const InstallJob& job, const fs::path& session, const fs::path& pip)
{
    sandbox::SandboxSpec spec;
    spec.session = sandboxId(job);
    spec.project = "packages";
    spec.image = job.wish.image;
    spec.python = job.wish.python;
    spec.runnerFolder = job.wish.runnerFolder;
    spec.sessionFolder = session;
    spec.mounts = job.pip.mounts;
    if (!pip.empty())
        spec.mounts.push_back({ pip, kPipInside, true });
    if (const fs::path authorities = authoritiesOf(job); !authorities.empty())
        spec.mounts.push_back({ authorities, kAuthoritiesInside, true });
    spec.limits.tmpfsBytes =
        job.mostBytes; // limits a file's size, too; a tmpfs is no larger than half the memory
    return spec;
}

std::string script(const InstallJob& job, const std::string& text, bool hasPip)
{
    std::map<std::string, std::string> variables = job.pip.environment;
    if (usesNetwork(job))
        InstallNetwork::set(variables);
    if (!authoritiesOf(job).empty())
        variables["PIP_CERT"] = kAuthoritiesInside;
    ValueMap environment;
    for (const auto& [name, value] : variables)
        environment.set(name, value);
    if (job.wish.offline)
        environment.set("PIP_NO_INDEX", "1");
    ValueList pins;
    for (const Pin& pin : job.pins) {
        ValueMap one{ { "name", pin.name }, { "version", pin.version }, { "sha256", pin.sha256 } };
        if (!pin.url.empty())
            one.set("url", pin.url);
        pins.emplace_back(std::move(one));
    }
    const Value wanted = Value::map(
        { { "requirements", ValueList(job.wish.requirements.begin(), job.wish.requirements.end()) },
          { "pins", Value(std::move(pins)) },
          { "environment", Value(std::move(environment)) },
          { "pip", hasPip ? kPipInside : "" } });
    // JSON is encoded twice, because the inner text is a Python literal, too.
    return text + "\n\ninstall(json.loads(" + toJson(Value(toJson(wanted))) + "))\n";
}

// The reason why pip failed, in the words of install_packages.py.
enum class PipFailure { Unreachable, Missing, Conflict, Hash, Disk, NoPip, Other };
constexpr auto namesOf(PipFailure)
{
    return std::to_array<std::pair<PipFailure, std::string_view>>({
        { PipFailure::Unreachable, "unreachable" },
        { PipFailure::Missing, "missing" },
        { PipFailure::Conflict, "conflict" },
        { PipFailure::Hash, "hash" },
        { PipFailure::Disk, "disk" },
        { PipFailure::NoPip, "pip" },
        { PipFailure::Other, "other" },
    });
}

// Returns what can be done about it, as sentences without the last full stop.
std::string adviceFor(PipFailure why, const InstallJob& job)
{
    switch (why) {
    case PipFailure::Unreachable:
        return "The package index cannot be reached. Check the network and pip's settings (PIP_INDEX_URL, "
               "HTTPS_PROXY, pip.conf), or put the wheels into a folder and name it with PIP_FIND_LINKS";
    case PipFailure::Missing:
        if (job.wish.offline)
            return "Nothing may be fetched (offline): run once without --offline, or put the wheels into a "
                   "folder and name it with PIP_FIND_LINKS";
        if (!job.pip.usesNetwork)
            return "pip's settings name folders alone (no-index): put the wheels there";
        return "Only wheels are installed. Check the name and the version; a package that has no wheel for "
               "this Python must be built elsewhere, and its wheel put into a folder that PIP_FIND_LINKS "
               "names";
    case PipFailure::Conflict: return "Loosen the versions in \"requirements\" until they go together";
    case PipFailure::Hash:
        return "What is offered is not what was asked for, or was resolved before. If the new file is "
               "right, correct --hash, or forget what was resolved: sandglass layers remove "
            + job.id + " --forget";
    case PipFailure::Disk: return "Make room where " + job.work.parent_path().string() + " lies";
    case PipFailure::NoPip:
        return "The sandbox's Python has no pip, and neither has this machine a wheel of it: sudo apt "
               "install python3-pip-whl";
    case PipFailure::Other: break;
    }
    return "See pip's own words in the log";
}

// Says what failed and what to do about it.
Error failure(const InstallJob& job, const Value& result, const std::vector<std::string>& refusals)
{
    const PipFailure kind = kindNamed<PipFailure>(result.stringOr("failure", "")).value_or(PipFailure::Other);
    std::vector<std::string> lines;
    if (result["lines"].isList())
        for (const Value& line : result["lines"].asList())
            if (line.isString() && lines.size() < 6)
                lines.push_back(printableText(line.asString().substr(0, kMostLine)));
    if (kind == PipFailure::Unreachable || kind == PipFailure::Missing)
        std::ranges::transform(refusals, std::back_inserter(lines), printableText);
    std::string why;
    for (const std::string& line : lines)
        why += (why.empty() ? "" : "; ") + line;
    while (why.ends_with('.'))
        why.pop_back();
    return { Errc::Io, why + ". " + adviceFor(kind, job) };
}

// Reads what the sandbox left; it has ended, so nothing changes any more.
Result<Value> readResult(const fs::path& file)
{
    struct stat state { };
    if (::lstat(file.c_str(), &state) != 0 || !S_ISREG(state.st_mode))
        return Error{ Errc::Corrupt, "the installing sandbox left no result" };
    const auto text = readFile(file, kMostResult);
    auto value = text ? parseJson(*text) : Result<Value>(text.error());
    if (value && !value->isMap())
        return Error{ Errc::Corrupt, "the installing sandbox left a broken result" };
    return value;
}

bool isVersionText(const std::string& text)
{
    return !text.empty() && text.size() < 200 && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || std::string_view("._-+!").find(c) != std::string_view::npos;
    });
}

// Values must look as in a requirement: they go into a requirements file again, and to people.
Result<std::vector<Pin>> pinsOf(const Value& list)
{
    std::vector<Pin> pins;
    const ValueList none;
    for (const Value& each : list.isList() ? list.asList() : none) {
        Pin pin{ each.stringOr("name", ""), each.stringOr("version", ""), each.stringOr("sha256", ""),
                 each.stringOr("url", "") };
        const bool isUrlPlain =
            std::ranges::all_of(pin.url, [](unsigned char c) { return c > 0x20 && c < 0x7f; });
        if (!isVersionText(pin.name) || !isVersionText(pin.version)
            || !(pin.sha256.empty() || isVersionText(pin.sha256)) || !isUrlPlain || pin.url.size() > 4096)
            return Error{ Errc::Corrupt, "the installing sandbox left a broken result" };
        pins.push_back(std::move(pin));
    }
    return pins;
}

// Stops the installation on request, or if the folder grows too large.
class Guard {
public:
    Guard(const InstallJob& job, fs::path folder)
        : m_forward(job.wish.stop, [this] { m_stop.request_stop(); })
        , m_watch([this, most = job.mostBytes, folder = std::move(folder)](const std::stop_token& stop) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            while (!m_over.wait_for(lock, stop, kLookAtSize, [] { return false; }) && !stop.stop_requested())
                if (sizeOf(folder).bytes > most) {
                    m_isTooLarge = true;
                    m_stop.request_stop();
                    return;
                }
        })
    {
    }
    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    [[nodiscard]] bool isTooLarge() const { return m_isTooLarge; }

private:
    std::stop_source m_stop;
    std::atomic<bool> m_isTooLarge = false;
    std::condition_variable_any m_over;
    std::stop_callback<std::function<void()>> m_forward;
    std::jthread m_watch; // last, so that it ends first
};

Result<void> runInSandbox(const InstallJob& job, const fs::path& session, const std::string& text,
                          const InstallNetwork* network)
{
    const fs::path pip = findPipWheel();
    sandbox::SandboxSpec spec = sandboxSpec(job, session, pip);
    if (network != nullptr)
        spec.mounts.push_back(network->mount());
    auto sandbox = job.wish.backend.start(spec);
    if (!sandbox)
        return std::move(sandbox.error()).during("start the sandbox that installs them");
    Lines lines(job.wish.say);
    const sessions::CellHandlers handlers{
        [&](const sessions::CellOutput& output) { lines.add(output.bytes); }, {}
    };
    const sessions::CellLimits limits{ kMostTime, kMostOutput };
    sessions::LiveSandbox live(std::move(*sandbox), spec.limits,
                               network != nullptr ? InstallNetwork::greeting() : ValueMap(),
                               [](const sessions::Frame&) {});
    if (auto greeted = live.greet(limits); !greeted)
        return std::move(greeted.error()).during("start the sandbox that installs them");
    const Guard guard(job, session);
    sessions::CellFrames frames(false, limits, spec.limits, handlers);
    const auto result =
        live.run({ { "op", "cell" },
                   { "code", script(job, text, !pip.empty()) },
                   { "deadline_ms", std::int64_t{ std::chrono::milliseconds(kMostTime).count() } } },
                 limits, frames, guard.token());
    const auto cause = result ? result->error : std::optional(live.causeOfDeath());
    live.sandbox().end();
    if (guard.isTooLarge())
        return Error{ Errc::LimitExceeded,
                      "they take more than " + sessions::byteText(job.mostBytes)
                          + ", and were not installed" };
    if (job.wish.stop.stop_requested())
        return Error{ Errc::Cancelled, "the installation was stopped" };
    if (cause)
        return Error{ Errc::Io, cause->type + ": " + cause->message };
    return {};
}

} // namespace

fs::path findPipWheel()
{
    std::vector<fs::path> found;
    for (const char* folder :
         { "/usr/share/python-wheels", "/usr/lib/python3.9/ensurepip/_bundled",
           "/usr/lib/python3.10/ensurepip/_bundled", "/usr/lib/python3.11/ensurepip/_bundled",
           "/usr/lib/python3.12/ensurepip/_bundled", "/usr/lib/python3.13/ensurepip/_bundled" }) {
        std::error_code failed;
        for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
             entry.increment(failed)) {
            const std::string name = entry->path().filename().string();
            if (name.starts_with("pip-") && name.ends_with(".whl"))
                found.push_back(entry->path());
        }
    }
    return found.empty() ? fs::path() : found.front();
}

Result<Installed> installLayer(const InstallJob& job)
{
    const auto text = readFile(job.wish.runnerFolder / kScript, kMostScript);
    if (!text)
        return text.error();
    const fs::path session = job.work / "session";
    if (::mkdir(session.c_str(), 0755) != 0)
        return errnoError(errno, "create " + session.string());
    const std::string doing = "install " + listed(job.wish.requirements);
    std::unique_ptr<InstallNetwork> network;
    if (usesNetwork(job)) {
        auto policy = installPolicy(job.pip, job.addresses);
        auto opened = policy ? InstallNetwork::open(std::move(*policy), sandboxId(job).value, job.decided)
                             : Result<std::unique_ptr<InstallNetwork>>(std::move(policy.error()));
        if (!opened)
            return std::move(opened.error()).during(doing);
        network = std::move(*opened);
    }
    if (auto done = runInSandbox(job, session, *text, network.get()); !done)
        return std::move(done.error()).during(doing);
    const std::vector<std::string> refusals = network ? network->refusals() : std::vector<std::string>();
    network.reset();
    const auto result = readResult(session / "result.json");
    if (!result)
        return Error(result.error()).during(doing);
    if (result->find("failure") != nullptr)
        return failure(job, *result, refusals).during(doing);
    Installed installed;
    installed.packages = session / "packages";
    const auto size = takeOver(installed.packages);
    auto pins = pinsOf((*result)["pins"]);
    if (!size || !pins)
        return Error(size ? pins.error() : size.error()).during(doing);
    LayerRecord& record = installed.record;
    record.id = job.id;
    record.requirements = job.wish.requirements;
    record.pins = std::move(*pins);
    for (const Value& warning : (*result)["warnings"].isList() ? (*result)["warnings"].asList() : ValueList())
        if (warning.isString())
            record.warnings.push_back(printableText(warning.asString().substr(0, kMostLine)));
    record.backend = job.wish.backendName;
    record.python = printableText(result->stringOr("python", "").substr(0, 64));
    record.platform = printableText(result->stringOr("platform", "").substr(0, 64));
    record.bytes = size->bytes;
    record.files = size->files;
    record.createdAt = isoTime(std::chrono::system_clock::now());
    return installed;
}

} // namespace sg::layers
