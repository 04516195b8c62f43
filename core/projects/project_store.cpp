#include "core/projects/project_store.h"

#include "core/postgres/address.h"
#include "core/store/postgres_store.h"

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <system_error>

namespace sg::projects {

std::string chosenTenant(const std::string& chosen, const graph::StoreSettings& settings)
{
    if (!chosen.empty())
        return chosen;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment
    if (const char* tenant = std::getenv("SANDGLASS_TENANT"); tenant != nullptr && *tenant != '\0')
        return tenant;
    return settings.tenant;
}

std::string storePlace(const ProjectPaths& project)
{
    return project.shared.empty() ? project.store.string() : project.shared;
}

Result<std::shared_ptr<ProjectStore>> ProjectStore::open(const std::string& place, Access access,
                                                         const graph::StoreSettings& settings,
                                                         const std::string& tenant, const Clock& clock)
{
    const bool isAddress = postgres::isAddress(place);
    if (std::error_code failed;
        !isAddress && access == Access::ReadOnly && !std::filesystem::exists(place, failed))
        return Error{ Errc::NotFound,
                      "nothing is stored in " + place
                          + " yet. Put something there with: sandglass store put NAMESPACE KEY JSON" };
    const store::StoreOptions options{ access == Access::ReadOnly, settings.ttl, settings.refreshOnRead };
    auto items = isAddress ? store::openPostgresStore(place, options)
                           : store::LongTermStore::open(place, options, clock);
    if (!items)
        return std::move(items.error()).during("long-term store");
    auto door = store::StoreDoor::open(**items, tenant);
    if (!door)
        return std::move(door.error());
    return std::shared_ptr<ProjectStore>(new ProjectStore(std::move(*items), std::move(*door)));
}

std::function<Result<Value>(const Value& request)>
storeOnUse(std::string place, graph::StoreSettings settings, std::string tenant, const Clock& clock)
{
    struct Opened {
        std::mutex mutex;
        std::shared_ptr<ProjectStore> store; // guarded by mutex
    };
    return [place = std::move(place), settings = std::move(settings), tenant = std::move(tenant), &clock,
            opened = std::make_shared<Opened>()](const Value& request) -> Result<Value> {
        std::shared_ptr<ProjectStore> store;
        {
            const std::lock_guard lock(opened->mutex);
            if (!opened->store) {
                auto made =
                    ProjectStore::open(place, ProjectStore::Access::ReadWrite, settings, tenant, clock);
                if (!made)
                    return std::move(made.error());
                opened->store = std::move(*made);
            }
            store = opened->store;
        }
        return store->answer(request);
    };
}

} // namespace sg::projects
