#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/graph/graph.h"
#include "core/projects/project.h"
#include "core/store/store_door.h"

#include <functional>
#include <memory>
#include <string>

namespace sg::projects {

// Returns the tenant whose namespaces a run may use: the chosen one (--tenant), else that of the environment
// (SANDGLASS_TENANT), else of the graph file; "": none.
std::string chosenTenant(const std::string& chosen, const graph::StoreSettings& settings);

// Returns where a project's items are: the PostgreSQL database that has its threads, else the project's file.
std::string storePlace(const ProjectPaths& project);

// A project's long-term store, limited to a tenant's namespaces. Any thread.
class ProjectStore {
public:
    enum class Access { ReadOnly, ReadWrite };
    // `place` is a file or a PostgreSQL address. Errc::NotFound: Access is ReadOnly and nothing has been
    // stored yet.
    static Result<std::shared_ptr<ProjectStore>> open(const std::string& place, Access access,
                                                      const graph::StoreSettings& settings,
                                                      const std::string& tenant, const Clock& clock);
    // Answers a request of core/store/store_door.h.
    Result<Value> answer(const Value& request) { return m_door.answer(request); }

private:
    ProjectStore(std::unique_ptr<store::LongTermStore> items, store::StoreDoor door)
        : m_items(std::move(items))
        , m_door(std::move(door))
    {
    }
    std::unique_ptr<store::LongTermStore> m_items; // the door refers to it
    store::StoreDoor m_door;
};

// Returns a function that answers requests of nodes. It opens the store with the first one, so that a run
// that asks nothing leaves no file and no table. Any thread; the clock must outlive it.
std::function<Result<Value>(const Value& request)>
storeOnUse(std::string place, graph::StoreSettings settings, std::string tenant, const Clock& clock);

} // namespace sg::projects
