#include "core/sessions/live/intake_batch.h"

#include "core/sessions/runner/frame.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace sg::sessions {
namespace {

constexpr std::size_t kTogether = 2000; // files that are flushed and listed at once
constexpr std::int64_t kBytesTogether = 64 << 20;
constexpr std::size_t kOneAnswer = 400; // files
constexpr std::int64_t kBytesOneAnswer = 3
    << 20; // below 4 MiB, beyond which the runner leaves files out of its answer
constexpr std::size_t kBatchAhead = 2; // answers that are asked for before the first has come
constexpr std::size_t kMostBatchReason = 200;
constexpr Millis kBatchAnswerTime{ 30'000 };

// Returns how many of the first files stay within both bounds; at least one.
std::size_t fitting(std::span<const IncomingArtifact> files, std::size_t most, std::int64_t bytes)
{
    std::size_t count = 0;
    for (std::int64_t sum = 0; count < files.size() && count < most; ++count) {
        sum += files[count].file.size;
        if (count > 0 && sum > bytes)
            break;
    }
    return count;
}

} // namespace

Result<void> IntakeBatch::take(std::span<IncomingArtifact> files,
                               const std::function<void(std::size_t)>& progress)
{
    for (std::size_t begin = 0; begin < files.size();) {
        const auto part = files.subspan(begin, fitting(files.subspan(begin), kTogether, kBytesTogether));
        auto batch = m_store.beginBatch();
        if (!batch) {
            for (IncomingArtifact& each : files.subspan(begin))
                each.stored = batch.error();
            return {};
        }
        auto fetched = fetch(part, **batch);
        // A failed commit loses all of the batch, so the error is not of one file.
        if (const auto committed = (*batch)->commit(); !committed)
            for (IncomingArtifact& each : part)
                if (each.isStored())
                    each.stored = Error{ Errc::Io, committed.error().message };
        batch->reset();
        if (!fetched)
            return fetched;
        if (auto removed = remove(part); !removed)
            return removed;
        begin += part.size();
        progress(begin);
    }
    return {};
}

// Each file that is asked for gets an outcome, unless the runner refuses the request.
Result<void> IntakeBatch::fetch(std::span<IncomingArtifact> files, artifacts::ArtifactBatch& batch)
{
    std::deque<std::pair<RunnerLink::Exchange, std::span<IncomingArtifact>>> asked;
    for (std::size_t begin = 0; begin < files.size() || !asked.empty();) {
        while (begin < files.size() && asked.size() < kBatchAhead && !m_stop.stop_requested()) {
            const auto part =
                files.subspan(begin, fitting(files.subspan(begin), kOneAnswer, kBytesOneAnswer));
            auto exchange = ask(part);
            if (!exchange)
                return std::move(exchange.error());
            asked.emplace_back(std::move(*exchange), part);
            begin += part.size();
        }
        if (asked.empty()) {
            for (IncomingArtifact& each : files.subspan(begin))
                each.stored =
                    Error{ Errc::Cancelled, "the run was stopped; it is taken after the next cell" };
            return {};
        }
        const auto contents = contentsOf(asked.front().first);
        if (!contents)
            return contents.error();
        const auto part = asked.front().second;
        asked.pop_front();
        if (!*contents)
            continue;
        const ValueList& list = (*contents)->asList();
        for (std::size_t i = 0; i < part.size(); ++i)
            part[i].stored =
                i < list.size() ? keep(part[i], list[i], batch) : Error{ Errc::Conflict, kChangedMeanwhile };
    }
    return {};
}

Result<RunnerLink::Exchange> IntakeBatch::ask(std::span<const IncomingArtifact> files)
{
    ValueList wanted;
    wanted.reserve(files.size());
    for (const IncomingArtifact& each : files)
        wanted.emplace_back(
            ValueList{ each.file.path, each.file.inode, each.file.size, each.file.modifiedNs });
    return m_link.begin({ { "op", "fetch_files" }, { "files", std::move(wanted) } });
}

// nullopt: the runner refused the request.
Result<std::optional<Value>> IntakeBatch::contentsOf(RunnerLink::Exchange& asked)
{
    auto answer = asked.next(std::chrono::steady_clock::now() + kBatchAnswerTime);
    if (!answer && answer.error().code == Errc::Timeout)
        m_link.close({ Errc::Timeout, "the session's runner did not answer while files were read" });
    if (!answer)
        return std::move(answer.error());
    if (answer->event == "problem")
        return std::optional<Value>();
    Value contents = answer->body["contents"];
    if (answer->event == "fetched" && contents.isList())
        return std::optional<Value>(std::move(contents));
    m_link.close(brokenProtocol("contents of files that are none"));
    return brokenProtocol("contents of files that are none");
}

Result<artifacts::Artifact> IntakeBatch::keep(const IncomingArtifact& file, const Value& content,
                                              artifacts::ArtifactBatch& batch) const
{
    if (content.isString() && content.asString() != "changed")
        return Error{ Errc::InvalidArgument, content.asString().substr(0, kMostBatchReason) };
    if (!content.isBytes() || static_cast<std::int64_t>(content.asBytes().size()) != file.file.size)
        return Error{ Errc::Conflict, kChangedMeanwhile };
    auto writer = batch.begin(file.path, file.file.modifiedNs, m_origin);
    if (!writer)
        return std::move(writer.error());
    if (auto written = (*writer)->write(content.asBytes()); !written)
        return std::move(written.error());
    return (*writer)->finish();
}

Result<void> IntakeBatch::remove(std::span<IncomingArtifact> files)
{
    std::vector<IncomingArtifact*> stored;
    ValueList wanted;
    for (IncomingArtifact& each : files)
        if (each.isStored()) {
            stored.push_back(&each);
            wanted.emplace_back(ValueList{ each.file.path, each.file.inode });
        }
    if (stored.empty())
        return {};
    const auto removed =
        m_link.ask({ { "op", "remove_files" }, { "files", std::move(wanted) } }, "removed", kBatchAnswerTime);
    if (!removed && removed.error().code != Errc::InvalidArgument)
        return removed.error();
    if (!removed)
        for (IncomingArtifact* each : stored)
            each->leftBehind = removed.error().message;
    const Value kept = removed ? removed->body["kept"] : Value(ValueList());
    if (!kept.isList())
        return brokenProtocol("a list of files that is none");
    for (const Value& each : kept.asList()) {
        const bool isPair = each.isList() && each.asList().size() == 2 && each.asList()[0].isInt()
            && each.asList()[1].isString();
        const auto index = isPair ? static_cast<std::size_t>(each.asList()[0].asInt()) : stored.size();
        if (index >= stored.size())
            return brokenProtocol("a list of files that is none");
        stored[index]->leftBehind = each.asList()[1].asString().substr(0, kMostBatchReason);
    }
    return {};
}

} // namespace sg::sessions
