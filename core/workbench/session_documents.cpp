#include "core/workbench/session_documents.h"

#include "core/workbench/workbench.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace sg::workbench {
namespace {

// A bundle that lacks the oldest of them would not say so.
constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

std::int64_t msOf(WallTime time)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

WallTime timeOf(const Value& ms)
{
    return WallTime(std::chrono::milliseconds(ms.isInt() ? ms.asInt() : 0));
}

Value sampleRow(const sandbox::ResourceSample& sample)
{
    return Value(ValueList{ msOf(sample.time), sample.cpuSeconds, sample.cpuPercent, sample.memoryBytes,
                            sample.memoryLimit, sample.pids, sample.pidsLimit, sample.oomKills,
                            static_cast<std::int64_t>(sample.throttled.count()), sample.diskBytes,
                            sample.diskLimit });
}

double number(const Value& value)
{
    return value.isDouble() || value.isInt() ? value.asDouble() : 0;
}

std::int64_t whole(const Value& value)
{
    return value.isInt() ? value.asInt() : 0;
}

sandbox::ResourceSample sampleOf(const Value& row)
{
    sandbox::ResourceSample sample;
    sample.time = timeOf(row[0]);
    sample.cpuSeconds = number(row[1]);
    sample.cpuPercent = number(row[2]);
    sample.memoryBytes = whole(row[3]);
    sample.memoryLimit = whole(row[4]);
    sample.pids = whole(row[5]);
    sample.pidsLimit = whole(row[6]);
    sample.oomKills = whole(row[7]);
    sample.throttled = std::chrono::milliseconds(whole(row[8]));
    sample.diskBytes = whole(row[9]);
    sample.diskLimit = whole(row[10]);
    return sample;
}

Value sessionOf(const sessions::SessionRecord& record, sessions::SessionRecords& records)
{
    ValueList notes;
    if (const auto all = records.notes(record.info.id, kAll))
        for (auto note = all->rbegin(); note != all->rend(); ++note)
            notes.push_back(Value(ValueList{ msOf(note->time), note->event, note->text }));
    ValueList samples;
    if (const auto all = records.samples(record.info.id, 0))
        for (const sandbox::ResourceSample& sample : *all)
            samples.push_back(sampleRow(sample));
    const sessions::SessionInfo& info = record.info;
    return Value::map({ { "id", info.id.value },
                        { "part", info.part },
                        { "backend", info.backend },
                        { "isolation", info.isolation },
                        { "state", info.state },
                        { "storage", info.storage },
                        { "datasets", info.datasets },
                        { "image", record.image },
                        { "limits_enforced", info.limitsEnforced },
                        { "memory_bytes", info.limits.memoryBytes },
                        { "tmpfs_bytes", info.limits.tmpfsBytes },
                        { "pids", info.limits.pids },
                        { "cpus", info.limits.cpus },
                        { "started_ms", msOf(record.startedAt) },
                        { "used_ms", msOf(record.lastUsed) },
                        { "cells", record.cells },
                        { "notes", std::move(notes) },
                        { "samples", std::move(samples) } });
}

sessions::SessionRecord recordOf(const Value& session, const ThreadId& thread)
{
    sessions::SessionRecord record;
    record.info.id = SessionId(session.stringOr("id", ""));
    record.info.thread = thread;
    record.info.part = session.stringOr("part", "");
    record.info.backend = session.stringOr("backend", "");
    record.info.isolation = session.stringOr("isolation", "");
    record.info.storage = session.stringOr("storage", "");
    record.info.datasets = session.stringOr("datasets", "");
    record.info.limitsEnforced = session.boolOr("limits_enforced", true);
    record.info.limits.memoryBytes = session.intOr("memory_bytes", 0);
    record.info.limits.tmpfsBytes = session.intOr("tmpfs_bytes", 0);
    record.info.limits.pids = session.intOr("pids", 0);
    record.info.limits.cpus = number(session["cpus"]);
    record.image = session.stringOr("image", "");
    record.startedAt = timeOf(session["started_ms"]);
    record.lastUsed = timeOf(session["used_ms"]);
    return record;
}

} // namespace

Value sessionsOf(Workbench& workbench, const ThreadId& thread)
{
    ValueList list;
    sessions::SessionRecords* records = workbench.sessions().records();
    const auto all = records != nullptr
        ? records->list(true, kAll)
        : Result<std::vector<sessions::SessionRecord>>(std::vector<sessions::SessionRecord>());
    if (all)
        for (const sessions::SessionRecord& record : *all)
            if (record.info.thread == thread)
                list.push_back(sessionOf(record, *records));
    std::ranges::sort(list, {}, [](const Value& session) { return session.stringOr("id", ""); });
    return Value(std::move(list));
}

void keepSessions(Workbench& workbench, const ThreadId& thread, const Value& sessions)
{
    sessions::SessionRecords* records = workbench.sessions().records();
    if (records == nullptr || !sessions.isList())
        return;
    for (const Value& session : sessions.asList()) {
        const sessions::SessionRecord record = recordOf(session, thread);
        const auto known = records->find(record.info.id);
        if (record.info.id.empty() || !known || *known || !records->started(record))
            continue;
        static_cast<void>(records->used(record.info.id, record.lastUsed, session.intOr("cells", 0)));
        if (session["notes"].isList())
            for (const Value& note : session["notes"].asList())
                static_cast<void>(records->note(
                    record.info.id,
                    { timeOf(note[0]), note[1].isString() ? std::string(note[1].asString()) : "",
                      note[2].isString() ? std::string(note[2].asString()) : "" }));
        std::vector<sessions::StoredSample> samples;
        if (session["samples"].isList())
            for (const Value& row : session["samples"].asList())
                samples.push_back({ record.info.id, sampleOf(row) });
        static_cast<void>(records->addSamples(samples));
        const std::string state = session.stringOr("state", "");
        static_cast<void>(
            records->setState(record.info.id, state.starts_with("ended") ? state : "ended: imported"));
    }
}

} // namespace sg::workbench
