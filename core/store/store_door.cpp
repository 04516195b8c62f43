#include "core/store/store_door.h"

#include <algorithm>

namespace sg::store {
namespace {

Error wrong(const char* what)
{
    return { Errc::InvalidArgument, std::string("a request to the store: ") + what };
}

Result<std::int64_t> countOr(const Value& request, std::string_view key, std::int64_t fallback)
{
    const Value* value = request.find(key);
    if (value == nullptr || value->isNull())
        return fallback;
    if (!value->isInt())
        return wrong("limit, offset and max_depth are whole numbers");
    return value->asInt();
}

} // namespace

Result<StoreDoor> StoreDoor::open(LongTermStore& store, const std::string& tenant)
{
    Namespace root;
    if (!tenant.empty())
        root.push_back(tenant);
    if (tenant == "*") // would match every tenant when namespaces are listed
        return Error{ Errc::InvalidArgument, "a tenant cannot be \"*\"" };
    if (!root.empty())
        if (auto fine = checkItemNamespace(root); !fine)
            return std::move(fine.error()).during("tenant");
    return StoreDoor(store, std::move(root));
}

Result<Namespace> StoreDoor::inside(const Value& labels) const
{
    Namespace ns = m_root;
    if (labels.isNull())
        return ns;
    if (!labels.isList())
        return wrong("a namespace is a list of labels");
    for (const Value& label : labels.asList()) {
        if (!label.isString())
            return wrong("the labels of a namespace are text");
        ns.push_back(label.asString());
    }
    return ns;
}

Result<Value> StoreDoor::answer(const Value& request)
{
    const std::string operation = request.stringOr("op", "");
    if (operation == "get")
        return get(request);
    if (operation == "put")
        return put(request);
    if (operation == "search")
        return search(request);
    if (operation == "list")
        return list(request);
    return wrong("unknown operation");
}

Value StoreDoor::itemValue(const Item& item) const
{
    ValueList labels;
    for (std::size_t i = m_root.size(); i < item.ns.size(); ++i)
        labels.emplace_back(item.ns[i]);
    return Value::map({ { "namespace", std::move(labels) },
                        { "key", item.key },
                        { "value", item.value },
                        { "created_at", item.createdAt },
                        { "updated_at", item.updatedAt } });
}

Result<Value> StoreDoor::get(const Value& request)
{
    auto ns = inside(request["namespace"]);
    if (!ns)
        return std::move(ns.error());
    auto item = m_store->get(*ns, request.stringOr("key", ""), request.boolOr("refresh", true));
    if (!item)
        return std::move(item.error());
    return *item ? itemValue(**item) : Value();
}

Result<Value> StoreDoor::put(const Value& request)
{
    auto ns = inside(request["namespace"]);
    if (!ns)
        return std::move(ns.error());
    if (ns->size() == m_root.size())
        return wrong("an item needs a namespace: one label or more");
    const std::string key = request.stringOr("key", "");
    if (request["value"].isNull()) {
        auto removed = m_store->remove(*ns, key);
        if (!removed)
            return std::move(removed.error());
        return Value();
    }
    PutOptions options;
    if (const Value* ttl = request.find("ttl")) {
        options.ttl = ttl->isNull() ? PutOptions::Ttl::None : PutOptions::Ttl::Minutes;
        if (!ttl->isNull() && !ttl->isNumber())
            return wrong("\"ttl\" is a number of minutes");
        options.minutes = ttl->isNumber() ? ttl->asDouble() : 0;
    }
    if (auto done = m_store->put(*ns, key, request["value"], options); !done)
        return std::move(done.error());
    return Value();
}

Result<Value> StoreDoor::search(const Value& request)
{
    SearchQuery query;
    auto prefix = inside(request["prefix"]);
    auto limit = countOr(request, "limit", query.limit);
    auto offset = countOr(request, "offset", query.offset);
    if (!prefix || !limit || !offset)
        return !prefix ? prefix.error() : !limit ? limit.error() : offset.error();
    const Value& filter = request["filter"];
    if (!filter.isNull() && !filter.isMap())
        return wrong("\"filter\" is an object of field and condition");
    query.prefix = std::move(*prefix);
    query.filter = filter.isMap() ? filter.asMap() : ValueMap();
    query.limit = *limit;
    query.offset = *offset;
    query.refresh = request.boolOr("refresh", true);
    auto items = m_store->search(query);
    if (!items)
        return std::move(items.error());
    ValueList list;
    for (const Item& item : *items)
        list.push_back(itemValue(item));
    return Value(std::move(list));
}

Result<Value> StoreDoor::list(const Value& request)
{
    NamespaceQuery query;
    auto prefix = inside(request["prefix"]);
    auto suffix = inside(request["suffix"]);
    auto limit = countOr(request, "limit", query.limit);
    auto offset = countOr(request, "offset", query.offset);
    auto depth = countOr(request, "max_depth", -1);
    if (!prefix || !suffix || !limit || !offset || !depth)
        return !prefix ? prefix.error()
            : !suffix  ? suffix.error()
            : !limit   ? limit.error()
            : !offset  ? offset.error()
                       : depth.error();
    query.prefix = std::move(*prefix);
    query.suffix.assign(suffix->begin() + static_cast<std::ptrdiff_t>(m_root.size()), suffix->end());
    query.limit = *limit;
    query.offset = *offset;
    if (*depth >= 0)
        query.maxDepth = static_cast<std::size_t>(*depth) + m_root.size();
    auto found = m_store->listNamespaces(query);
    if (!found)
        return std::move(found.error());
    ValueList list;
    for (const Namespace& ns : *found) {
        ValueList labels;
        for (std::size_t i = m_root.size(); i < ns.size(); ++i)
            labels.emplace_back(ns[i]);
        list.emplace_back(std::move(labels));
    }
    return Value(std::move(list));
}

} // namespace sg::store
