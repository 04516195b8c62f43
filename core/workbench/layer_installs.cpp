#include "core/workbench/layer_installs.h"

#include "core/base/child_process.h"
#include "core/sandbox/egress/name_lookup.h"
#include "core/sessions/session_egress.h"
#include "core/workbench/project_audit.h"

#include <sys/eventfd.h>

#include <chrono>

namespace sg::workbench {
namespace {

namespace egress = sandbox::egress;

constexpr std::chrono::seconds kLookUpTime{ 10 };
constexpr std::string_view kScheme = "https://";

Value listOf(const std::vector<std::string>& texts)
{
    ValueList list;
    for (const std::string& text : texts)
        list.emplace_back(text);
    return Value(std::move(list));
}

Result<void> mayFetchFrom(const std::string& address)
{
    const auto refused = [&](const std::string& why) {
        return Error{
            Errc::PermissionDenied,
            address + ' ' + why
                + ". Put the wheel into a folder and name that by PIP_FIND_LINKS, or name its index "
                  "by PIP_INDEX_URL"
        };
    };
    if (!address.starts_with(kScheme))
        return refused("is no https:// address");
    const std::string rest = address.substr(kScheme.size());
    const auto place = egress::parseHostPort(rest.substr(0, rest.find_first_of("/?#")), 443);
    if (!place)
        return refused("names no host: " + place.error().message);
    const Fd never(::eventfd(0, EFD_CLOEXEC));
    const auto found = egress::lookUp(*place, never.get(), std::chrono::steady_clock::now() + kLookUpTime,
                                      std::make_shared<std::atomic<int>>(0));
    if (!found) // nor will pip find it, unless by a proxy that this user chose
        return {};
    for (const egress::FoundAddress& each : *found)
        if (!egress::isPublicAddress(each.get()))
            return refused("leads to " + egress::addressText(each.get())
                           + ", which is this machine or a private network");
    return {};
}

audit::AuditEntry installEntry(const layers::Installation& installation, const char* outcome,
                               const std::string& why = {})
{
    audit::AuditEntry entry;
    entry.kind = "layer";
    entry.subject = installation.id;
    entry.outcome = outcome;
    entry.details = Value::map({ { "requirements", listOf(installation.requirements) },
                                 { "addresses", listOf(installation.addresses) },
                                 { "hosts", listOf(installation.hosts) },
                                 { "network", installation.usesNetwork } });
    if (!why.empty())
        entry.details.editMap().set("error", why);
    return entry;
}

} // namespace

Result<void> mayFetch(const layers::Installation& installation)
{
    if (!installation.usesNetwork)
        return {};
    for (const std::string& address : installation.addresses)
        if (auto may = mayFetchFrom(address); !may)
            return may;
    return {};
}

layers::InstallWatch installWatch(ProjectAudit* audit)
{
    layers::InstallWatch watch;
    watch.begins = [audit](const layers::Installation& installation) -> Result<void> {
        auto may = mayFetch(installation);
        if (audit == nullptr)
            return may;
        if (may)
            return audit->add(installEntry(installation, "started"));
        static_cast<void>(audit->add(installEntry(installation, "denied", may.error().message)));
        return may;
    };
    watch.asks = [audit](const layers::Installation& installation, const egress::EgressDecision& decision) {
        if (audit == nullptr)
            return true;
        audit::AuditEntry entry = sessions::egressEntry(decision);
        entry.details.editMap().set("layer", installation.id);
        return static_cast<bool>(audit->add(std::move(entry)));
    };
    watch.ended = [audit](const layers::Installation& installation, const Result<void>& how) {
        if (audit != nullptr)
            static_cast<void>(
                audit->add(installEntry(installation, how ? "ok" : "error", how ? "" : how.error().message)));
    };
    return watch;
}

} // namespace sg::workbench
