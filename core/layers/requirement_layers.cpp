#include "core/layers/requirement_layers.h"

#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/layers/layer_install.h"
#include "core/sessions/records/session_records.h"

#include <algorithm>
#include <utility>

namespace sg::layers {
namespace {

constexpr std::size_t kIdDigits = 20;

std::string joined(const std::vector<std::string>& texts, const char* between)
{
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : between) + text;
    return all;
}

sessions::Layer layerOf(const LayerFolder& folder, const LayerRecord& record, LayerFolder::Hold hold)
{
    sessions::Layer layer;
    layer.id = record.id;
    layer.packages = folder.packages(record.id);
    for (const Pin& pin : record.pins)
        layer.pins.push_back(pin.text());
    std::ranges::sort(layer.pins);
    layer.hold = std::move(hold);
    return layer;
}

Installation installationOf(const sessions::LayerWish& wish, const std::string& id, const PipSettings& pip,
                            const std::vector<Pin>& pins)
{
    Installation told;
    told.id = id;
    told.requirements = wish.requirements;
    told.usesNetwork = !wish.offline && pip.usesNetwork;
    told.hosts = remoteHosts(pip);
    constexpr std::string_view kAt = " @ ";
    for (const std::string& requirement : wish.requirements)
        if (const std::size_t at = requirement.find(kAt); at != std::string::npos) {
            const std::string address = requirement.substr(at + kAt.size());
            told.addresses.push_back(address.substr(0, address.find(' ')));
        }
    for (const Pin& pin : pins)
        if (!pin.url.empty())
            told.addresses.push_back(pin.url);
    return told;
}

} // namespace

std::string layerId(const std::string& pythonIdentity, const std::vector<std::string>& requirements)
{
    return sha256Hex("1\n" + pythonIdentity + "\n\n" + joined(requirements, "\n")).substr(0, kIdDigits);
}

RequirementLayers::RequirementLayers(std::filesystem::path root, Lookup environment, InstallWatch watch)
    : m_folder(std::move(root))
    , m_environment(std::move(environment))
    , m_watch(std::move(watch))
{
}

Result<sessions::Layer> RequirementLayers::layerFor(const sessions::LayerWish& wish) const
{
    if (m_folder.root().empty())
        return Error{ Errc::Io,
                      "there is no place for the graph's requirements: neither HOME nor XDG_DATA_HOME is an "
                      "absolute path. Set one of them." };
    sandbox::SandboxSpec spec;
    spec.image = wish.image;
    spec.python = wish.python;
    auto python = wish.backend.pythonIdentity(spec);
    if (!python)
        return std::move(python.error()).during("install the graph's requirements");
    const std::string id = layerId(*python, wish.requirements);
    const auto waits = [&] {
        if (wish.say)
            wish.say("another program is installing the same requirements (layer " + id
                     + "); waiting for it");
    };
    while (true) {
        auto held = m_folder.hold(id);
        if (!held)
            return std::move(held.error());
        if (*held)
            return layerOf(m_folder, (*held)->first, std::move((*held)->second));
        auto lock = m_folder.lock(id, wish.stop, waits);
        if (!lock)
            return std::move(lock.error());
        if (!*lock)
            continue;
        if (const auto there = m_folder.find(id))
            return layerOf(m_folder, *there, LayerFolder::share(std::move(**lock)));
        return install(wish, id, std::move(**lock));
    }
}

Result<sessions::Layer> RequirementLayers::install(const sessions::LayerWish& wish, const std::string& id,
                                                   Fd lock) const
{
    const auto say = [&](const std::string& line) {
        if (wish.say)
            wish.say(line);
    };
    const auto begin = std::chrono::steady_clock::now();
    auto work = m_folder.begin(id);
    if (!work)
        return std::move(work.error());
    PipSettings pip = pipSettings(m_environment);
    std::vector<Pin> pins = m_folder.pins(id);
    const Installation told = installationOf(wish, id, pip, pins);
    const Decided decided = [&](const sandbox::egress::EgressDecision& decision) {
        return !m_watch.asks || m_watch.asks(told, decision);
    };
    const InstallJob job{ wish, id, std::move(pins), std::move(pip), told.addresses, decided, *work };
    if (auto may = m_watch.begins ? m_watch.begins(told) : Result<void>(); !may) {
        LayerFolder::abandon(*work);
        return std::move(may.error()).during("install the graph's requirements");
    }
    say("installing " + joined(wish.requirements, ", ") + " for this kind of sandbox, once (layer " + id + ")"
        + (job.pins.empty() ? "" : ", as resolved before"));
    auto installed = installLayer(job);
    const auto published = installed ? m_folder.publish(installed->record, *work, installed->packages)
                                     : Result<void>(installed.error());
    LayerFolder::abandon(*work);
    if (m_watch.ended)
        m_watch.ended(told, published);
    if (!published)
        return published.error();
    const LayerRecord& record = installed->record;
    for (const std::string& warning : record.warnings)
        say("warning: " + warning);
    sessions::Layer layer = layerOf(m_folder, record, LayerFolder::share(std::move(lock)));
    say("requirements installed in "
        + sessions::durationText(
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin))
        + ": " + (layer.pins.empty() ? "the sandbox's own packages fulfil them" : joined(layer.pins, ", ")));
    return layer;
}

Result<std::vector<LayerRecord>> RequirementLayers::collect(WallTime unusedSince, bool dryRun) const
{
    const auto all = m_folder.list();
    if (!all)
        return all.error();
    const std::string before = isoTime(unusedSince);
    std::vector<LayerRecord> collected;
    for (const LayerRecord& record : *all) {
        if (!record.isInstalled || record.isInUse || record.lastUsedAt >= before)
            continue;
        if (!dryRun)
            if (auto removed = m_folder.remove(record.id, false); !removed) {
                logMessage(LogLevel::Warning, removed.error().message);
                continue;
            }
        collected.push_back(record);
    }
    return collected;
}

} // namespace sg::layers
