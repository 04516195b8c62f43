#include "core/sessions/manager/session_maker.h"

#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/sandbox/owner_process.h"
#include "core/sessions/live/secrets_ahead.h"
#include "core/sessions/manager/backend_choice.h"
#include "core/sessions/runner/live_sandbox.h"

#include <system_error>
#include <utility>

namespace sg::sessions {
namespace {

constexpr std::size_t kIdLetters = 8;

std::string base32(std::uint64_t bits)
{
    static constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz234567";
    std::string text;
    for (std::size_t i = 0; i < kIdLetters; ++i, bits >>= 5U)
        text += kAlphabet[bits & 31U];
    return text;
}

} // namespace

Result<void> checkSpec(const SessionSpec& spec)
{
    const bool needsFolder =
        spec.mode.datasets == DatasetAccess::LocalRo || spec.mode.datasets == DatasetAccess::Hybrid;
    std::error_code error;
    if (needsFolder && !std::filesystem::is_directory(spec.datasetFolder, error))
        return Error{ Errc::NotFound,
                      "dataset access " + std::string(nameOf(spec.mode.datasets))
                          + " needs a folder, but there is none at \"" + spec.datasetFolder.string()
                          + "\"; create it or choose NONE" };
    return {};
}

// A lasting session is found again by the hash of its thread; nothing that its code could have written is
// used.
SessionId SessionMaker::lastingId(const ThreadId& thread, const SessionPart& part) const
{
    const std::string hash = sha256Hex(m_world.options.project + '\n' + thread.value
                                       + (part.isThreads() ? std::string() : '\n' + part.text()));
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 12; ++i)
        bits = bits << 4U | static_cast<std::uint64_t>(std::string_view("0123456789abcdef").find(hash[i]));
    return SessionId("s-" + base32(bits));
}

SessionId SessionMaker::newId()
{
    return SessionId("s-" + base32(m_world.random.next()));
}

sandbox::SandboxSpec SessionMaker::sandboxSpec(const SessionId& id, const SessionSpec& spec,
                                               const std::optional<Layer>& layer) const
{
    sandbox::SandboxSpec result;
    result.session = id;
    result.project = m_world.options.project;
    result.image = spec.image;
    result.connection = spec.connection;
    result.python = m_world.options.python;
    result.runnerFolder = m_world.options.runnerFolder;
    const bool isBound = spec.mode.storage == SessionStorage::Bind;
    if (isBound)
        result.sessionFolder = m_world.options.sessionsFolder / id.value;
    if (spec.mode.datasets == DatasetAccess::LocalRo)
        result.mounts.push_back({ spec.datasetFolder, "/data", true });
    if (spec.mode.datasets == DatasetAccess::Hybrid)
        result.mounts.push_back({ spec.datasetFolder, "/heavy_data", true });
    if (layer)
        result.mounts.push_back({ layer->packages, kLayerMount, true });
    for (const ModuleFolder& modules : spec.modules)
        result.mounts.push_back({ modules.folder, modules.insidePath(), true, true });
    result.secrets = !spec.secrets.empty();
    result.dataTmpfs = !isBound && stagesData(spec.mode.datasets);
    result.limits = spec.limits;
    result.keep = spec.keep;
    // A kept sandbox that nobody takes up again ends by itself after its idle time, or never.
    result.orphanTimeout = spec.keep ? std::chrono::duration_cast<std::chrono::seconds>(
                               spec.lifetime.idle + std::chrono::milliseconds(999))
                                     : m_world.options.orphanTimeout;
    return result;
}

SessionParts SessionMaker::partsOf(const Choice& choice, const SessionId& id, const ThreadId& thread,
                                   const SessionSpec& spec, const std::optional<Layer>& layer,
                                   const Lookups& secrets) const
{
    SessionParts parts;
    parts.id = id;
    parts.thread = thread;
    parts.spec = spec;
    parts.layer = layer;
    parts.sandboxSpec = sandboxSpec(id, spec, layer);
    parts.sandboxSpec.thread = thread;
    parts.sandboxSpec.part = spec.part.text();
    parts.backendName = choice.name;
    parts.backendInfo = choice.info;
    parts.backend = choice.backend;
    parts.artifacts = &m_world.artifacts;
    parts.clock = &m_world.clock;
    parts.answerTool = m_world.options.answerTool;
    parts.findSecret = secrets.find;
    parts.findHeaderSecret = secrets.findHeader;
    parts.authorities = m_world.options.authorities;
    parts.audit = m_world.options.audit;
    parts.snapshots = m_world.options.snapshots;
    parts.snapshotStored = m_world.options.snapshotStored;
    parts.snapshotOf = m_world.options.snapshotOf;
    parts.snapshotLimits = m_world.options.snapshotLimits;
    parts.snapshotRoom = m_world.options.snapshotRoom;
    if (m_world.records != nullptr)
        parts.isAnothers = [records = m_world.records, id] {
            const auto record = records->find(id);
            const auto owner = record && *record ? sandbox::parseOwnerMark((*record)->owner) : std::nullopt;
            return owner && (*record)->owner != sandbox::ownerMark(sandbox::ownProcess())
                && !sandbox::isGone(*owner);
        };
    if (m_world.records != nullptr && spec.keep) {
        parts.lastMark = [records = m_world.records, id] {
            auto mark = records->mark(id);
            return mark ? std::move(*mark) : std::nullopt;
        };
        parts.keepMark = [records = m_world.records, id](const StandMark& mark) {
            if (const auto kept = records->setMark(id, mark); !kept)
                logMessage(LogLevel::Warning,
                           "session " + id.value
                               + ": how it stands is not recorded: " + kept.error().message);
        };
    }
    if (m_world.records != nullptr)
        if (const auto record = m_world.records->find(id); record && *record) {
            parts.cellsBefore = (*record)->cells;
            if (!(*record)->hasEnded())
                takeUp(**record, parts);
        }
    return parts;
}

Result<std::optional<Layer>> SessionMaker::layerOf(const std::string& backendName,
                                                   sandbox::SandboxBackend& backend, const SessionSpec& spec,
                                                   const Asker& asker)
{
    if (spec.requirements.empty())
        return std::optional<Layer>();
    if (!m_world.options.layers)
        return Error{ Errc::Unsupported, "Python requirements are not offered here" };
    auto layer = m_world.options.layers({ backendName, backend, spec.image, m_world.options.python,
                                          m_world.options.runnerFolder, spec.requirements, spec.offline,
                                          asker.say, asker.stop });
    if (!layer)
        return std::move(layer.error());
    return std::optional(std::move(*layer));
}

// Secrets are looked up before anything is started in vain, or removed although it is not at fault.
Result<SessionMaker::Lookups> SessionMaker::lookUpSecrets(const SessionSpec& spec, bool alsoHeaders,
                                                          const std::stop_token& stop) const
{
    Lookups lookups{ {}, m_world.options.findHeaderSecret };
    auto find = lookUpAhead(spec.secrets, m_world.options.findSecret, stop);
    if (!find)
        return std::move(find.error());
    lookups.find = std::move(*find);
    if (!alsoHeaders || !m_world.options.findHeaderSecret)
        return lookups;
    const auto names = headerSecretNames(spec);
    if (!names)
        return names.error();
    auto findHeader = lookUpAhead(*names, m_world.options.findHeaderSecret, stop);
    if (!findHeader)
        return std::move(findHeader.error());
    lookups.findHeader = std::move(*findHeader);
    return lookups;
}

Result<std::shared_ptr<SandboxSession>> SessionMaker::madeOf(const SessionParts& parts) const
{
    std::optional<SessionFolder> folder;
    if (parts.spec.mode.storage == SessionStorage::Bind) {
        auto opened = SessionFolder::open(parts.sandboxSpec.sessionFolder);
        if (!opened)
            return std::move(opened.error());
        folder = std::move(*opened);
    }
    return std::make_shared<SandboxSession>(parts, std::move(folder), m_world.listener);
}

Result<std::shared_ptr<SandboxSession>> SessionMaker::started(const SessionParts& parts,
                                                              const std::stop_token& stop) const
{
    auto session = madeOf(parts);
    if (session)
        if (auto begun = (*session)->start(stop); !begun)
            return begun.error();
    return session;
}

Result<std::shared_ptr<SandboxSession>>
SessionMaker::takeUpOrReplace(const Choice& choice, SessionParts parts, const sandbox::FoundSandbox& left,
                              const std::optional<Layer>& layer, const Asker& asker)
{
    if (auto claimed = claim(left); !claimed)
        return std::move(claimed.error());
    std::string why;
    {
        auto session = madeOf(parts);
        if (!session) {
            release(left);
            return session;
        }
        why = takeUpLeft(**session, left, parts.spec, layer);
        if (why.empty())
            return session;
    } // before its sandbox is removed, of which it would report the death
    if (auto gone = giveUp(choice, left, why, asker); !gone) {
        release(left);
        return std::move(gone.error());
    }
    parts.comesAfterLoss = true;
    parts.limitsNow.reset();
    parts.startedAt = {};
    return started(parts, asker.stop);
}

Result<std::shared_ptr<SandboxSession>> SessionMaker::makeOn(const Choice& choice, const ThreadId& thread,
                                                             const SessionSpec& wanted, const Asker& asker)
{
    if (!wanted.egress.empty() && choice.info.isolation == "gVisor")
        return Error{
            Errc::Unsupported,
            "gVisor lets no socket out of its sandboxes, so they reach no network; leave \"egress\" "
            "out, or choose another runtime than "
                + choice.info.version
        };
    auto left = findLeft(*choice.backend, thread, wanted);
    if (!left)
        return std::move(left.error());
    const auto layer = layerOf(choice.name, *choice.backend, wanted, asker);
    if (!layer)
        return layer.error();
    const auto secrets = lookUpSecrets(wanted, left->has_value(), asker.stop);
    if (!secrets)
        return secrets.error();
    SessionSpec spec = wanted;
    const bool wasCutOff = !*left && wasLost(thread, wanted.part);
    const bool wasKept = !*left && tellsOfALoss(choice, thread, wanted, asker);
    spec.keep = wanted.keep || (*left ? (*left)->kept : wasKept);
    const bool isLasting = spec.mode.storage == SessionStorage::Bind || spec.keep;
    if (!*left && spec.mode.storage == SessionStorage::Tmpfs)
        if (auto ready = m_world.pool.take(choice.name, spec)) {
            SessionParts parts = partsOf(choice, ready->id, thread, spec, *layer, *secrets);
            parts.comesAfterLoss = wasCutOff;
            parts.isNew = true;
            auto session = std::make_shared<SandboxSession>(std::move(parts), std::nullopt, m_world.listener);
            if (auto adopted = session->adoptAhead(std::move(ready->sandbox), std::move(ready->egress))) {
                session->extend({}); // from now on it waits for a host as long as a kept one does
                return session;
            }
        }
    const SessionId id = *left ? (*left)->session : isLasting ? lastingId(thread, spec.part) : newId();
    SessionParts parts = partsOf(choice, id, thread, spec, *layer, *secrets);
    parts.comesAfterLoss = wasCutOff || wasKept;
    parts.isNew = !*left;
    return *left ? takeUpOrReplace(choice, std::move(parts), **left, *layer, asker)
                 : started(parts, asker.stop);
}

Result<std::shared_ptr<SandboxSession>> SessionMaker::make(const ThreadId& thread, const SessionSpec& spec,
                                                           const Asker& asker)
{
    if (auto checked = checkSpec(spec); !checked)
        return checked.error();
    std::shared_ptr<SandboxSession> session;
    auto tried = tryBackends(spec.backend, m_world.backends,
                             [&](const std::string& name, sandbox::SandboxBackend& backend,
                                 const sandbox::BackendInfo& info) -> Result<void> {
                                 auto made = makeOn({ name, &backend, info }, thread, spec, asker);
                                 if (!made)
                                     return made.error();
                                 session = std::move(*made);
                                 return {};
                             });
    if (!tried)
        return std::move(tried.error()).during("start a session for thread " + thread.value);
    return session;
}

Result<void> SessionMaker::prepare(const SessionSpec& spec, const Asker& asker)
{
    if (auto checked = checkSpec(spec); !checked)
        return checked;
    auto tried = tryBackends(spec.backend, m_world.backends,
                             [&](const std::string& name, sandbox::SandboxBackend& backend,
                                 const sandbox::BackendInfo&) -> Result<void> {
                                 if (const auto layer = layerOf(name, backend, spec, asker); !layer)
                                     return layer.error();
                                 const auto secrets = lookUpSecrets(spec, true, asker.stop);
                                 return secrets ? Result<void>() : secrets.error();
                             });
    if (!tried)
        return std::move(tried.error()).during("prepare a session");
    return {};
}

Result<WarmPool::Ready> SessionMaker::makeReady(const SessionSpec& spec, bool isResting,
                                                const std::stop_token& stop)
{
    if (auto checked = checkSpec(spec); !checked)
        return checked.error();
    WarmPool::Ready ready;
    ready.id = newId();
    auto tried = tryBackends(spec.backend, m_world.backends,
                             [&](const std::string& name, sandbox::SandboxBackend& backend,
                                 const sandbox::BackendInfo&) -> Result<void> {
                                 auto layer = layerOf(name, backend, spec, { stop, {} });
                                 if (!layer)
                                     return std::move(layer.error());
                                 auto egress = openEgress({ ready.id, spec, m_world.options.findHeaderSecret,
                                                            m_world.options.authorities, stop });
                                 if (!egress)
                                     return std::move(egress.error());
                                 sandbox::SandboxSpec made = sandboxSpec(ready.id, spec, *layer);
                                 made.orphanTimeout = m_world.options.orphanTimeout; // until it is taken
                                 if (egress->proxy)
                                     made.mounts.push_back(egressMount(*egress->proxy));
                                 auto started = backend.start(made);
                                 if (!started)
                                     return started.error();
                                 ready.egress = std::move(*egress);
                                 ready.backend = name;
                                 ready.sandbox = std::move(*started);
                                 return {};
                             });
    if (!tried)
        return std::move(tried.error()).during("start a session ahead");
    // A runner that imports modules answers once it has. The session says hello again later, on the same
    // stream.
    RunnerLink link(ready.sandbox->stream(), [](const Frame&) {});
    if (const auto greeted = link.hello(helloOptions(spec), Millis(60'000)); !greeted)
        return Error(greeted.error()).during("start a session ahead");
    // The runner rests: an engine takes 15 ms and more to pause a sandbox, and as long to wake it.
    if (isResting)
        if (const auto rests = link.ask({ { "op", "rest" } }, "resting", Millis(10'000)); !rests)
            logMessage(LogLevel::Info, "a session started ahead does not rest: " + rests.error().message);
    return ready;
}

} // namespace sg::sessions
