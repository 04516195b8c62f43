#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/store/item_namespace.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sg::store {

struct StoreOptions {
    bool readOnly = false; // Errc::NotFound if there is no file
    std::optional<double> defaultTtl; // minutes, for items that are put without one
    bool refreshOnRead = true; // reading an item restarts its time to live
};

struct Item {
    Namespace ns;
    std::string key;
    Value value; // a map
    std::string createdAt; // "2026-11-21 08:00:00.123456", UTC
    std::string updatedAt;
};

struct PutOptions {
    enum class Ttl { Default, None, Minutes };
    Ttl ttl = Ttl::Default;
    double minutes = 0;
};

struct SearchQuery {
    Namespace prefix; // including all namespaces below it; empty: everything
    ValueMap filter; // see filter.h
    std::int64_t limit = 10;
    std::int64_t offset = 0;
    bool refresh = true; // only if the store does so at all
};

struct NamespaceQuery {
    Namespace prefix; // "*" matches any one label
    Namespace suffix;
    std::optional<std::size_t> maxDepth; // longer namespaces are cut to this and listed once
    std::int64_t limit = 100;
    std::int64_t offset = 0;
};

// Items by namespace and key, shared by all threads. Any thread may use it, and several processes may have
// the file or database open. Errors: InvalidArgument (namespace, key, value or filter), LimitExceeded (an
// item of more than 16 MiB), and those of the file or database.
class LongTermStore {
public:
    // Opens a SQLite file; postgres_store.h opens a PostgreSQL database.
    static Result<std::unique_ptr<LongTermStore>> open(const std::filesystem::path& file,
                                                       const StoreOptions& options, const Clock& clock);
    virtual ~LongTermStore() = default;

    // Replaces the item of the same key, but keeps its creation time.
    virtual Result<void> put(const Namespace& ns, const std::string& key, const Value& value,
                             const PutOptions& options) = 0;
    virtual Result<std::optional<Item>> get(const Namespace& ns, const std::string& key,
                                            bool refresh = true) = 0;
    virtual Result<std::vector<Item>> search(const SearchQuery& query) = 0; // newest update first
    virtual Result<std::vector<Namespace>> listNamespaces(const NamespaceQuery& query) = 0; // in order
    virtual Result<bool> remove(const Namespace& ns, const std::string& key) = 0; // false: there was none
    virtual Result<std::int64_t> sweep() = 0; // removes expired items and returns their number
};

} // namespace sg::store
