#include "core/sessions/snapshot.h"

#include "core/base/redaction.h"

#include <algorithm>
#include <utility>

namespace sg::sessions {
namespace {

constexpr std::size_t kMostShown = 12;

Value toValue(const std::vector<NamedThing>& things)
{
    ValueList list;
    for (const NamedThing& thing : things)
        list.push_back(Value::list({ thing.kind, withoutSecrets(thing.name) }));
    return list;
}

Value namedThings(const std::vector<NamedThing>& things)
{
    ValueList list;
    for (const NamedThing& thing : things)
        list.push_back(Value::map({ { "kind", thing.kind }, { "name", withoutSecrets(thing.name) } }));
    return list;
}

std::vector<NamedThing> thingsFrom(const Value& value)
{
    std::vector<NamedThing> things;
    if (value.isList())
        for (const Value& each : value.asList())
            if (each[0].isString() && each[1].isString())
                things.push_back({ each[0].asString(), each[1].asString() });
    return things;
}

} // namespace

std::string describe(const std::vector<NamedThing>& things)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(things.size(), kMostShown); ++i)
        text += (i > 0 ? ", " : "") + things[i].kind + " " + withoutSecrets(things[i].name);
    if (things.size() > kMostShown)
        text += " and " + std::to_string(things.size() - kMostShown) + " more";
    return text;
}

std::string describe(const Restored& restored)
{
    std::string text;
    switch (restored.kind) {
    case Restored::Kind::AsItWas:
        text = restored.keepsEdits ? "with what was done by hand in it since its step (exact goes on without)"
                                   : "as it was";
        break;
    case Restored::Kind::Exact:
        text = restored.differs.empty()
            ? "exact"
            : "live, but outside of /session these are not as they were: " + describe(restored.differs);
        break;
    case Restored::Kind::Stored: text = "restored"; break;
    case Restored::Kind::FilesOnly: text = "files only: every name is gone"; break;
    case Restored::Kind::Fresh: text = "fresh"; break;
    }
    if (!restored.lacks.empty())
        text += ", without " + restored.lacks;
    if (!restored.missing.empty())
        text += ", without " + describe(restored.missing);
    if (restored.kind == Restored::Kind::Stored && !restored.differs.empty())
        text += "; outside of /session these are not as they were: " + describe(restored.differs);
    if (!restored.filesRestored)
        text += "; its files were not kept: those that are there now stay";
    if (restored.givesUpEdits)
        text += "; what was done by hand in it since is given up (keep goes on with it)";
    return text;
}

Value toValue(const Restored& restored)
{
    const char* kind = "as it was";
    switch (restored.kind) {
    case Restored::Kind::AsItWas: break;
    case Restored::Kind::Exact: kind = restored.differs.empty() ? "exact" : "live"; break;
    case Restored::Kind::Stored: kind = "stored"; break;
    case Restored::Kind::FilesOnly: kind = "files only"; break;
    case Restored::Kind::Fresh: kind = "fresh"; break;
    }
    Value told = Value::map({ { "kind", kind },
                              { "missing", namedThings(restored.missing) },
                              { "lacks", restored.lacks },
                              { "files_restored", restored.filesRestored },
                              { "keeps_edits", restored.keepsEdits } });
    if (!restored.differs.empty())
        told.editMap().set("differs", namedThings(restored.differs));
    if (restored.givesUpEdits)
        told.editMap().set("gives_up_edits", true);
    return told;
}

Value toValue(const Snapshot& snapshot)
{
    return Value::map({ { "created_at", snapshot.createdAt },
                        { "incarnation", snapshot.incarnation },
                        { "live", snapshot.live },
                        { "obstacles", toValue(snapshot.obstacles) },
                        { "left", toValue(snapshot.left) },
                        { "files_problem", snapshot.filesProblem },
                        { "files_left", toValue(snapshot.filesLeft) },
                        { "file_bytes", snapshot.fileBytes },
                        { "names", snapshot.names } });
}

Result<Snapshot> snapshotFromValue(const Value& value)
{
    if (!value.isMap())
        return Error{ Errc::Corrupt, "a stored snapshot is no map" };
    Snapshot snapshot;
    snapshot.createdAt = value.stringOr("created_at", "");
    snapshot.incarnation = value.stringOr("incarnation", "");
    snapshot.live = value.boolOr("live", false);
    snapshot.obstacles = thingsFrom(value["obstacles"]);
    snapshot.left = thingsFrom(value["left"]);
    snapshot.filesProblem = value.stringOr("files_problem", "");
    snapshot.filesLeft = thingsFrom(value["files_left"]);
    snapshot.fileBytes = value.intOr("file_bytes", 0);
    snapshot.names = value["names"];
    return snapshot;
}

} // namespace sg::sessions
