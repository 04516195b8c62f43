#include "core/sessions/session_sharing.h"

#include "core/sandbox/egress/egress_header.h"

#include <algorithm>

namespace sg::sessions {

SessionSpec SessionSharing::specOf(SessionSpec shared, const SessionPart& part) const
{
    const auto own = ownSecrets.find(part.node().value);
    const bool isShared = part.node().empty();
    const auto isNamedBy = [](const Secrets& node, std::string_view secret) {
        return std::ranges::find(node.headers, secret) != node.headers.end();
    };
    std::erase_if(shared.secretHeaders, [&](const std::string& text) {
        const std::string_view secret = sandbox::egress::secretOfHeader(text);
        if (!isShared)
            return own == ownSecrets.end() || !isNamedBy(own->second, secret);
        return std::ranges::any_of(ownSecrets,
                                   [&](const auto& each) { return isNamedBy(each.second, secret); });
    });
    if (!isShared)
        shared.secrets = own == ownSecrets.end() ? std::vector<std::string>() : own->second.names;
    shared.part = part;
    return shared;
}

} // namespace sg::sessions
