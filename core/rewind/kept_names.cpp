#include "core/base/hash.h"
#include "core/rewind/snapshots.h"

#include <algorithm>
#include <map>
#include <utility>

// These functions make the names of a snapshot fit for people.
namespace sg::rewind {
namespace {

using sessions::Snapshot;

// Two names can hold the same object: only the first has a record of it, the others ("alias") refer to that.
class Origins {
public:
    explicit Origins(const ValueList& records)
    {
        for (const Value& record : records)
            if (record.stringOr("kind", "") != "alias")
                m_records.emplace(std::pair(record.stringOr("scope", ""), record.stringOr("name", "")),
                                  &record);
    }
    // Returns null if the name is no alias, or its object came with the file of a node.
    [[nodiscard]] const Value* of(const Value& record) const
    {
        if (record.stringOr("kind", "") != "alias")
            return nullptr;
        const auto found =
            m_records.find(std::pair(record.stringOr("of_scope", ""), record.stringOr("of", "")));
        return found == m_records.end() ? nullptr : found->second;
    }

private:
    std::map<std::pair<std::string, std::string>, const Value*> m_records;
};

bool isModule(const Value& record)
{
    return record.stringOr("kind", "") == "import" || record["shown"].stringOr("type", "") == "module";
}

std::string identityOf(const Value& record)
{
    std::string identity;
    if (record.stringOr("kind", "") == "name")
        identity =
            record["data"].isBytes() ? sha256Hex(record["data"].asBytes()) : record.stringOr("blob", "");
    if (record["buffers"].isList())
        for (const Value& buffer : record["buffers"].asList())
            identity += buffer[0].isString() ? buffer[0].asString() : std::string();
    return identity;
}

// `origin` is the record of an alias's object; null if the name is no alias or the record is unknown.
KeptName keptName(const Value& record, const Value* origin)
{
    const Value& made = origin ? *origin : record;
    const Value& shown = record["shown"].isMap() ? record["shown"] : made["shown"];
    const bool isFromFile = !shown.isMap() && !record.stringOr("of_scope", "").empty();
    KeptName name;
    name.name = record.stringOr("name", "");
    name.type = shown.stringOr("type", "");
    name.size = shown.intOr("size", -1);
    name.preview = shown.stringOr("preview", isFromFile ? "from " + record.stringOr("of_scope", "") : "");
    if (made.stringOr("kind", "") == "missing")
        name.missing = made.stringOr("name", "") == name.name
            ? made.stringOr("reason", "?")
            : "it is another name of " + made.stringOr("name", "") + ", which was not kept";
    name.identity = identityOf(made);
    if (shown["shape"].isList()) {
        name.shape.emplace();
        for (const Value& extent : shown["shape"].asList())
            name.shape->push_back(extent.isInt() ? extent.asInt() : 0);
    }
    return name;
}

} // namespace

std::vector<KeptName> Snapshots::namesOf(const Snapshot& snapshot)
{
    std::vector<KeptName> names;
    const Value& records = snapshot.names["records"];
    if (!records.isList())
        return names;
    const Origins origins(records.asList());
    for (const Value& record : records.asList()) {
        const Value* origin = origins.of(record);
        if (!record.stringOr("scope", "").empty() || isModule(record) || (origin && isModule(*origin)))
            continue;
        names.push_back(keptName(record, origin));
    }
    std::ranges::sort(names, {}, &KeptName::name);
    return names;
}

} // namespace sg::rewind
