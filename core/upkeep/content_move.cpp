#include "core/upkeep/content_move.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace sg::upkeep {
namespace {

using artifacts::Artifact;
using artifacts::SharedContents;

constexpr std::size_t kCarriedAtOnce = 500; // before they are waited for, so that the folder may give some up

// The artifacts by content: the first that has it stands for the others.
Result<std::map<std::string, Artifact>> contentsOf(artifacts::ArtifactStore& store, ContentMove& move)
{
    auto all = store.list({});
    if (!all)
        return std::move(all.error());
    std::map<std::string, Artifact> contents;
    move.artifacts = static_cast<std::int64_t>(all->size());
    for (Artifact& artifact : *all) {
        const std::string sha256 = artifact.sha256;
        if (contents.emplace(sha256, std::move(artifact)).second)
            move.bytes += contents.at(sha256).size;
    }
    move.contents = static_cast<std::int64_t>(contents.size());
    return contents;
}

// Takes away the contents that are in the shared place with the right size, and about which nothing better
// can be done (`isEnough`).
Result<void> withoutThose(SharedContents& shared, std::map<std::string, Artifact>& contents,
                          const std::function<bool(const std::string&)>& isEnough,
                          const std::stop_token& stop)
{
    return shared.eachContent(
        [&](const std::string& sha256, std::uint64_t size) -> Result<void> {
            if (const auto found = contents.find(sha256);
                found != contents.end() && found->second.size == size && isEnough(sha256))
                contents.erase(found);
            return {};
        },
        stop);
}

class Carrier {
public:
    Carrier(artifacts::ArtifactStore& store, SharedContents* former, ContentMove& move,
            const MoveProgress& progress, const std::stop_token& stop)
        : m_store(store)
        , m_former(former)
        , m_move(move)
        , m_progress(progress)
        , m_stop(stop)
    {
    }

    // `left` waits there already.
    Result<void> carry(const std::map<std::string, Artifact>& contents, const artifacts::UploadState& left)
    {
        m_leftBefore = left.count;
        m_bytesBefore = left.bytes;
        std::vector<SharedContents::Named> batch;
        for (const auto& [sha256, artifact] : contents) {
            if (auto here = bringHere(artifact); !here) {
                if (here.error().code != Errc::NotFound && here.error().code != Errc::Corrupt)
                    return here;
                m_move.lost.push_back(artifact.id.value + ": " + here.error().message);
                continue;
            }
            batch.push_back({ sha256, artifact.size, sharedLine(artifact) });
            if (batch.size() < kCarriedAtOnce)
                continue;
            if (auto sent = send(std::exchange(batch, {})); !sent || m_isHeldUp)
                return sent;
        }
        return batch.empty() ? Result<void>() : send(std::move(batch));
    }

private:
    Result<void> bringHere(const Artifact& artifact)
    {
        const artifacts::BlobStore& folder = m_store.contents();
        if (folder.has(artifact.sha256))
            return {};
        if (m_former == nullptr)
            return Error{ Errc::NotFound, folder.path(artifact.sha256).string() + " is missing" };
        return m_former->fetch(artifact.sha256, artifact.size, m_stop);
    }

    Result<void> send(std::vector<SharedContents::Named> batch)
    {
        SharedContents& shared = *m_store.contents().shared();
        if (auto promised = shared.promise(batch); !promised)
            return promised;
        const auto left = shared.settle(
            [&](const artifacts::UploadState& state) {
                if (!m_progress)
                    return;
                ContentMove now = m_move;
                now.waiting = state.count;
                m_progress(now);
            },
            m_stop);
        if (!left)
            return left.error();
        // The contents that earlier batches left are among those that are left now.
        m_move.carried +=
            static_cast<std::int64_t>(batch.size()) + std::exchange(m_leftBefore, left->count) - left->count;
        for (const SharedContents::Named& each : batch)
            m_move.carriedBytes += each.size;
        m_move.carriedBytes += std::exchange(m_bytesBefore, left->bytes);
        m_move.carriedBytes -= std::min(m_move.carriedBytes, left->bytes);
        m_move.waiting = left->count;
        m_move.fault = left->fault;
        m_isHeldUp = left->count > left->stuck;
        if (m_stop.stop_requested())
            return Error{ Errc::Cancelled, "stopped" };
        return {};
    }

    artifacts::ArtifactStore& m_store;
    SharedContents* const m_former;
    ContentMove& m_move;
    const MoveProgress& m_progress;
    const std::stop_token& m_stop;
    std::int64_t m_leftBefore = 0; // after the last batch
    decltype(ContentMove::carriedBytes) m_bytesBefore = 0;
    bool m_isHeldUp = false; // by more than a damaged file
};

} // namespace

Result<ContentMove> moveToShared(artifacts::ArtifactStore& store, SharedContents* former,
                                 const MoveProgress& progress, const std::stop_token& stop)
{
    SharedContents& shared = *store.contents().shared();
    ContentMove move;
    auto contents = contentsOf(store, move);
    if (!contents)
        return std::move(contents.error());
    // The names of this folder are told first: from then on nobody removes what is there. Contents that an
    // earlier move has left waiting go with them.
    const auto before = shared.waiting();
    const auto begun = before ? shared.settle({}, stop) : before;
    if (!begun)
        return begun.error();
    move.carried = before->count - begun->count;
    move.carriedBytes = before->bytes - std::min(before->bytes, begun->bytes);
    if (stop.stop_requested())
        return Error{ Errc::Cancelled, "stopped" };
    if (begun->count > begun->stuck || (begun->count == 0 && !begun->fault.empty()))
        return Error{ Errc::Io, begun->fault };
    std::map<std::string, Artifact> missing = *contents;
    // A content of which only the size is known to be right is sent again, which compares it, as long as
    // there is another copy of it.
    const auto isCompared = [&](const std::string& sha256) {
        return shared.hasCompared(sha256) || (former == nullptr && !store.contents().has(sha256));
    };
    if (auto known = withoutThose(shared, missing, isCompared, stop); !known)
        return std::move(known.error());
    if (missing.empty())
        return move;
    Carrier carrier(store, former, move, progress, stop);
    if (auto carried = carrier.carry(missing, *begun); !carried)
        return std::move(carried.error());
    const auto isSent = [](const std::string&) { return true; };
    if (auto known = withoutThose(shared, missing, isSent, stop); !known)
        return std::move(known.error());
    const auto absent =
        static_cast<std::int64_t>(missing.size() - std::min(missing.size(), move.lost.size()));
    if (absent > 0 && move.fault.empty())
        move.fault = shared.place() + " does not list what it has taken";
    move.waiting = absent;
    return move;
}

Result<ContentMove> moveToFolder(artifacts::ArtifactStore& store, const MoveProgress& progress,
                                 const std::stop_token& stop)
{
    ContentMove move;
    const auto contents = contentsOf(store, move);
    if (!contents)
        return contents.error();
    const artifacts::BlobStore& folder = store.contents();
    for (const auto& [sha256, artifact] : *contents) {
        const bool isNew = !folder.has(sha256);
        auto brought = store.fetch(artifact, stop);
        if (brought)
            brought = folder.read(sha256, [&](std::string_view) -> Result<void> {
                return stop.stop_requested() ? Result<void>(Error{ Errc::Cancelled, "stopped" })
                                             : Result<void>();
            });
        if (!brought && brought.error().code != Errc::NotFound && brought.error().code != Errc::Corrupt)
            return std::move(brought.error());
        if (!brought)
            move.lost.push_back(artifact.id.value + ": " + brought.error().message);
        else if (isNew) {
            ++move.carried;
            move.carriedBytes += artifact.size;
        }
        if (progress)
            progress(move);
    }
    return move;
}

} // namespace sg::upkeep
