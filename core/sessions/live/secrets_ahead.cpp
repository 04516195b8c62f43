#include "core/sessions/live/secrets_ahead.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace sg::sessions {
namespace {

struct Ahead {
    std::mutex mutex;
    std::multimap<std::string, settings::Secret> secrets; // guarded by mutex
};

} // namespace

Result<SecretLookup> lookUpAhead(const std::vector<std::string>& names, const SecretLookup& find,
                                 const std::stop_token& stop)
{
    if (names.empty())
        return find;
    if (!find)
        return Error{ Errc::Unsupported, "secrets are not offered here" };
    const auto ahead = std::make_shared<Ahead>(); // shared, as std::function copies its target
    for (const std::string& name : names) {
        auto secret = find(name, stop);
        if (!secret)
            return std::move(secret.error());
        ahead->secrets.emplace(name, std::move(*secret));
    }
    return SecretLookup(
        [ahead, find](const std::string& name, const std::stop_token& late) -> Result<settings::Secret> {
            {
                const std::lock_guard lock(ahead->mutex);
                const auto known = ahead->secrets.find(name);
                if (known != ahead->secrets.end())
                    return std::move(ahead->secrets.extract(known).mapped());
            }
            return find(name, late);
        });
}

} // namespace sg::sessions
