#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/store/long_term_store.h"

#include <string>

namespace sg::store {

// Answers requests of a sandbox to the store. They are limited to the tenant's label, which they neither see
// nor can leave, and come from untrusted code. Any thread; the store must outlive it.
class StoreDoor {
public:
    // An empty tenant means all namespaces. Errc::InvalidArgument: the tenant is no label.
    static Result<StoreDoor> open(LongTermStore& store, const std::string& tenant);

    // {"op": "get", "namespace", "key", "refresh"?} → item or null
    // {"op": "put", "namespace", "key", "value", "ttl"? (minutes, null: for ever)} → null; value null deletes
    // {"op": "search", "prefix", "filter"?, "limit"?, "offset"?, "refresh"?} → [item]
    // {"op": "list", "prefix"?, "suffix"?, "max_depth"?, "limit"?, "offset"?} → [namespace]
    // An item is {"namespace", "key", "value", "created_at", "updated_at"}.
    Result<Value> answer(const Value& request);

private:
    StoreDoor(LongTermStore& store, Namespace root)
        : m_store(&store)
        , m_root(std::move(root))
    {
    }
    Result<Namespace> inside(const Value& labels) const;
    Result<Value> get(const Value& request);
    Result<Value> put(const Value& request);
    Result<Value> search(const Value& request);
    Result<Value> list(const Value& request);
    [[nodiscard]] Value itemValue(const Item& item) const;

    LongTermStore* m_store;
    Namespace m_root; // the tenant, or empty
};

} // namespace sg::store
