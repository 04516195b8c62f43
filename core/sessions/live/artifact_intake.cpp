#include "core/sessions/live/artifact_intake.h"

#include "core/base/printable.h"
#include "core/base/redaction.h"
#include "core/base/relative_path.h"
#include "core/sessions/live/artifact_copy.h"
#include "core/sessions/runner/frame.h"

#include <algorithm>
#include <utility>

namespace sg::sessions {
namespace {

constexpr std::size_t kFew = 8; // files that are stored one by one: two flushes more cost less than a batch
constexpr int kMostPages = 1000; // pages of 10,000 files; code that lists more is not asked for ever
constexpr std::size_t kMostWarnings = 50;
constexpr std::size_t kMostRemembered = 10'000; // warnings; one beyond this counts as new after each cell
constexpr std::size_t kMostIntakeReason = 200;
constexpr std::size_t kMostStamp = 64;
constexpr Millis kIntakeAnswerTime{ 30'000 };

// Any other error lies with this machine: a node whose artifact is lost by it must not count as done.
bool isOfTheFile(Errc code)
{
    return code == Errc::LimitExceeded || code == Errc::Conflict || code == Errc::InvalidArgument
        || code == Errc::Cancelled;
}

} // namespace

namespace {

std::string warningOf(const std::string& path, const std::string& reason)
{
    std::string text = "artifacts/" + printableText(withoutSecrets(path).substr(0, kMostIntakeReason)) + ": "
        + printableText(reason);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

} // namespace

void ArtifactIntake::warn(CellResult& result, const std::string& path, const std::string& reason)
{
    std::string text = warningOf(path, reason);
    if (m_warnedNow.contains(text))
        return;
    const bool isNews = !m_warned.contains(text);
    if (m_warnedNow.size() < kMostRemembered)
        m_warnedNow.insert(text);
    if (!isNews)
        return;
    if (result.warnings.size() >= kMostWarnings)
        ++m_unsaid;
    else
        result.warnings.push_back(std::move(text));
}

void ArtifactIntake::lose(CellResult& result, const std::string& path, const std::string& reason,
                          const std::string& stamp)
{
    std::string text = warningOf(path, reason);
    std::string loss = text + '\n' + stamp;
    const bool isNews = !m_lost.contains(loss);
    if (m_lostNow.size() < kMostRemembered)
        m_lostNow.insert(std::move(loss));
    warn(result, path, reason);
    if (isNews && !result.lostFile)
        result.lostFile = std::move(text);
}

Result<void> ArtifactIntake::collect(const Cell& cell)
{
    m_warnedNow.clear();
    m_lostNow.clear();
    m_unsaid = 0;
    m_taken = 0;
    m_tooLargeBefore = std::exchange(m_tooLarge, {});
    auto taken = takeAll(cell);
    if (m_unsaid > 0)
        cell.result.warnings.push_back("artifacts: " + std::to_string(m_unsaid)
                                       + " more files were not stored");
    m_warned = m_warnedNow;
    m_lost = std::move(m_lostNow);
    return taken;
}

// Page by page, until no more are listed.
Result<void> ArtifactIntake::takeAll(const Cell& cell)
{
    ValueMap request{ { "op", "list_files" } };
    for (int page = 0; page < kMostPages; ++page) {
        const auto listed = cell.link.ask(request, "files", kIntakeAnswerTime);
        // The code may have removed the folder; then there are no artifacts.
        if (!listed)
            return listed.error().code == Errc::InvalidArgument ? Result<void>() : listed.error();
        const Value& files = listed->body["files"];
        const Value& refused = listed->body["refused"];
        if (!files.isList() || !refused.isList())
            return brokenProtocol("a list of files that is none");
        takeRefused(refused, cell);
        if (auto taken = takeFiles(files.asList(), cell); !taken)
            return taken;
        if (!listed->body.boolOr("more", false))
            return {};
        const Value& next = listed->body["next"];
        const bool isEmpty = files.asList().empty() && refused.asList().empty();
        if (next.isNull() || isEmpty || cell.stop.stop_requested())
            break;
        request.set("after", next);
        request.set("as_of", listed->body["as_of"]);
    }
    warn(cell.result, "…", "there are more files; they are taken after the next cell");
    return {};
}

void ArtifactIntake::takeRefused(const Value& refused, const Cell& cell)
{
    for (const Value& entry : refused.asList()) {
        const Value& path = entry["path"];
        const std::string name = path.isString() ? path.asString() : path.isBytes() ? path.asBytes() : "?";
        const std::string reason =
            entry.stringOr("reason", "refused").substr(0, kMostIntakeReason) + ", not stored";
        if (entry.boolOr("lost", false))
            lose(cell.result, name, reason, entry.stringOr("stamp", "").substr(0, kMostStamp));
        else
            warn(cell.result, name, reason);
    }
}

namespace {

std::string stampOf(const ListedFile& file)
{
    return std::to_string(file.inode) + "." + std::to_string(file.modifiedNs);
}

Result<ListedFile> listedOf(const Value& entry)
{
    const Value& path = entry["path"];
    ListedFile file;
    file.size = entry.intOr("size", -1);
    file.modifiedNs = entry.intOr("mtime_ns", 0);
    file.inode = entry.intOr("inode", -1);
    if (!(path.isString() || path.isBytes()) || file.size < 0 || file.inode < 0)
        return brokenProtocol("a listed file without path, size or inode");
    file.path = path.isString() ? path.asString() : path.asBytes();
    return file;
}

} // namespace

Result<void> ArtifactIntake::takeFiles(const ValueList& listed, const Cell& cell)
{
    std::vector<IncomingArtifact> files;
    files.reserve(listed.size());
    for (const Value& entry : listed) {
        auto file = wanted(entry, cell);
        if (!file)
            return std::move(file.error());
        if (*file)
            files.push_back(std::move(**file));
    }
    Result<void> taken = files.size() > kFew ? takeTogether(files, cell) : Result<void>();
    for (IncomingArtifact& file : files)
        if (taken && !file.stored)
            taken = takeOne(file, cell);
    for (IncomingArtifact& file : files)
        if (file.stored)
            conclude(file, cell);
    m_taken += files.size();
    return taken;
}

// nullopt: the file is not taken now, and a warning says why.
Result<std::optional<IncomingArtifact>> ArtifactIntake::wanted(const Value& entry, const Cell& cell)
{
    const std::optional<IncomingArtifact> none;
    auto file = listedOf(entry);
    if (!file)
        return std::move(file.error());
    auto path = RelativePath::parse(file->path);
    if (!path) {
        lose(cell.result, file->path,
             "a name that cannot be kept (" + std::string(RelativePath::problemOf(file->path))
                 + "), not stored; rename or move it",
             stampOf(*file));
        return none;
    }
    if (holdsSecret(file->path)) {
        lose(cell.result, "…", "a file whose name holds a secret, not stored; rename it", stampOf(*file));
        return none;
    }
    if (m_tooLargeBefore.contains(*file)) {
        m_tooLarge.insert(*file);
        return none;
    }
    if (cell.stop.stop_requested()) {
        warn(cell.result, file->path,
             "not stored because the run was stopped; it is taken after the next cell");
        return none;
    }
    return std::optional(IncomingArtifact{ std::move(*file), std::move(*path) });
}

Result<void> ArtifactIntake::takeTogether(std::vector<IncomingArtifact>& files, const Cell& cell)
{
    const auto isSmall = [](const IncomingArtifact& each) { return each.file.size < IntakeBatch::kLargest; };
    const auto firstLarge = std::stable_partition(files.begin(), files.end(), isSmall);
    auto taken = IntakeBatch(cell.link, m_store, cell.origin, cell.stop)
                     .take({ files.begin(), firstLarge }, [&](std::size_t count) {
                         if (cell.progress)
                             cell.progress(m_taken + count);
                     });
    std::ranges::sort(files, {}, [](const IncomingArtifact& each) { return each.file.path; });
    return taken;
}

Result<void> ArtifactIntake::takeOne(IncomingArtifact& incoming, const Cell& cell)
{
    const ListedFile& file = incoming.file;
    auto writer = m_store.begin(incoming.path, file.modifiedNs, cell.origin);
    if (!writer) {
        incoming.stored = writer.error();
        return {};
    }
    const auto copied = copyArtifact(cell.link, file, **writer, cell.stop, cell.view);
    incoming.stored = copied ? (*writer)->finish() : copied.error();
    if (!incoming.isStored()) {
        const auto failure = cell.link.failure();
        if (!failure)
            return {};
        incoming.stored.reset(); // the link is lost, which is reported once for all files that were not taken
        return *failure;
    }
    const auto removed =
        cell.link.ask({ { "op", "remove_file" }, { "path", file.path }, { "inode", file.inode } }, "removed",
                      kIntakeAnswerTime);
    if (!removed && removed.error().code != Errc::InvalidArgument)
        return removed.error();
    if (!removed)
        incoming.leftBehind = removed.error().message;
    return {};
}

void ArtifactIntake::conclude(IncomingArtifact& incoming, const Cell& cell)
{
    const std::string& path = incoming.file.path;
    if (incoming.isStored()) {
        cell.result.artifacts.push_back(std::move(**incoming.stored));
        if (!incoming.leftBehind.empty())
            warn(cell.result, path,
                 "stored, but it could not be removed from the session: " + incoming.leftBehind);
        return;
    }
    const Error& error = incoming.stored->error();
    if (error.code == Errc::LimitExceeded)
        m_tooLarge.insert(incoming.file);
    if (!isOfTheFile(error.code) && !cell.result.storeFailure)
        cell.result.storeFailure =
            "artifacts/" + printableText(path.substr(0, kMostIntakeReason)) + ": " + error.message;
    const std::string reason = error.message + "; it stays in the session";
    if (error.code == Errc::LimitExceeded || error.code == Errc::InvalidArgument)
        lose(cell.result, path, reason, stampOf(incoming.file));
    else
        warn(cell.result, path, reason);
}

} // namespace sg::sessions
