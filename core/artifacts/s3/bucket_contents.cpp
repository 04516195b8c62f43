#include "core/artifacts/s3/bucket_contents.h"

#include "core/base/hash.h"
#include "core/base/log.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace sg::artifacts::s3 {
namespace {

constexpr std::int64_t kBatch = 256;
constexpr std::int64_t kToldAtOnce = 2000; // lines
constexpr std::int64_t kMergedEvery = 100; // tellings
constexpr std::size_t kProgressEvery = 100;
constexpr std::int64_t kLeastPause = 5;
constexpr std::int64_t kLongestPause = 60;

std::uint64_t sizeOnDisk(const std::filesystem::path& file)
{
    std::error_code gone;
    const auto size = std::filesystem::file_size(file, gone);
    return gone ? 0 : size;
}

} // namespace

Result<std::shared_ptr<SharedContents>> BucketContents::open(const std::filesystem::path& folder,
                                                             BucketAddress address, S3Client::FindAccess find,
                                                             const BucketOptions& options)
{
    auto local = BlobStore::open(folder);
    if (!local)
        return std::move(local.error());
    auto ledger = UploadLedger::open(folder, address.place());
    if (!ledger)
        return std::move(ledger.error());
    return std::shared_ptr<SharedContents>(new BucketContents(std::move(*local), std::move(address),
                                                              std::move(find), options, std::move(*ledger)));
}

BucketContents::BucketContents(BlobStore local, BucketAddress address, S3Client::FindAccess find,
                               const BucketOptions& options, std::unique_ptr<UploadLedger> ledger)
    : m_local(std::move(local))
    , m_address(std::move(address))
    , m_find(std::move(find))
    , m_options(options)
    , m_ledger(std::move(ledger))
{
}

BucketContents::~BucketContents()
{
    std::jthread worker;
    {
        const std::lock_guard lock(m_mutex);
        worker = std::move(m_worker);
    }
    worker.request_stop(); // requests under way end at once
}

Result<S3Client*> BucketContents::client()
{
    const std::lock_guard lock(m_clientMutex);
    if (!m_client) {
        auto made = S3Client::open(m_address, m_find, m_options.client);
        if (!made)
            return std::move(made.error());
        m_client = std::move(*made);
    }
    return m_client.get();
}

Result<void> BucketContents::check()
{
    const auto found = client();
    if (!found)
        return found.error();
    const auto left = m_ledger->waiting();
    if (left && left->count > 0)
        wake();
    return {};
}

void BucketContents::wake()
{
    const std::lock_guard lock(m_mutex);
    m_hasWork = true;
    if (!m_worker.joinable())
        m_worker = std::jthread([this](const std::stop_token& stop) { work(stop); });
    m_changed.notify_all();
}

Result<void> BucketContents::promise(const std::vector<Named>& contents)
{
    std::vector<UploadLedger::Promise> promises;
    promises.reserve(contents.size());
    for (const Named& each : contents)
        promises.push_back({ { each.sha256, each.size }, each.line });
    if (auto noted = m_ledger->promise(promises); !noted)
        return std::move(noted.error()).during("note what has to be uploaded");
    {
        const std::lock_guard lock(m_mutex);
        for (const Named& each : contents)
            m_stuck.erase(each.sha256);
    }
    wake();
    return {};
}

void BucketContents::work(const std::stop_token& stop)
{
    std::int64_t pause = kLeastPause;
    std::unique_lock lock(m_mutex);
    // A wait that is stopped still says that there is work.
    while (m_changed.wait(lock, stop, [this] { return m_hasWork; }) && !stop.stop_requested()) {
        m_hasWork = false;
        lock.unlock();
        const auto done = drain(stop);
        lock.lock();
        // The window's user reads it in the log; what passes soon is no news.
        if (!done && done.error().message == m_fault && pause == 2 * kLeastPause)
            logMessage(LogLevel::Warning, "artifacts wait for their upload: " + m_fault);
        m_fault = done ? std::string() : done.error().message;
        ++m_rounds;
        m_changed.notify_all();
        if (done) {
            pause = kLeastPause;
            continue;
        }
        // A failure is tried again after a while, or when somebody asks.
        if (!m_changed.wait_for(lock, stop, std::chrono::seconds(pause), [this] { return m_hasWork; }))
            pause = std::min(2 * pause, kLongestPause);
        m_hasWork = true;
    }
}

// The waiting contents are read before the lines are told, so that each content that is uploaded has its line
// in the bucket.
Result<void> BucketContents::drain(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        const auto contents = m_ledger->nextWaiting(kBatch);
        if (!contents)
            return contents.error();
        if (auto told = tellLines(stop); !told)
            return told;
        if (contents->empty())
            return {};
        const auto found = client();
        if (!found)
            return found.error();
        if (auto waited = Bucket(**found).waitForCollection(stop); !waited)
            return waited;
        if (auto uploaded = uploadAll(*contents, stop); !uploaded)
            return uploaded;
        trim({});
    }
    return Error{ Errc::Cancelled, "stopped" };
}

Result<void> BucketContents::tellLines(const std::stop_token& stop)
{
    while (true) {
        const auto lines = m_ledger->lines(kToldAtOnce);
        if (!lines || lines->empty())
            return lines ? Result<void>() : Result<void>(lines.error());
        const auto found = client();
        if (!found)
            return found.error();
        std::string text;
        for (const UploadLedger::Line& line : *lines)
            text += line.text + '\n';
        if (auto told = Bucket(**found).tell(m_ledger->holder(), text, stop); !told)
            return told;
        const auto times = m_ledger->linesTold(lines->back().number);
        if (!times)
            return times.error();
        if (*times % kMergedEvery == 0)
            if (const auto merged = Bucket(**found).mergeNames(m_ledger->holder(), stop); !merged)
                logMessage(LogLevel::Warning, "lists of names stay as they are: " + merged.error().message);
    }
}

// A collector may have read the names before this folder's last ones were told. So whoever has told names
// (this program, or another that has the folder) waits for it before relying on what is there.
Result<void> BucketContents::waitAfterTelling(const std::stop_token& stop)
{
    const auto times = m_ledger->timesTold();
    if (!times)
        return times.error();
    {
        const std::lock_guard lock(m_mutex);
        if (m_waitedAfter >= *times)
            return {};
    }
    const auto found = client();
    if (!found)
        return found.error();
    if (auto waited = Bucket(**found).waitForCollection(stop); !waited)
        return waited;
    const std::lock_guard lock(m_mutex);
    m_waitedAfter = std::max(m_waitedAfter, *times);
    return {};
}

// Tells whether an upload has failed because of the content's file, so that the others can go on.
bool BucketContents::isFileAtFault(const std::string& sha256, const Error& failure) const
{
    if (failure.code == Errc::Unavailable || failure.code == Errc::Timeout || failure.code == Errc::Cancelled)
        return false;
    if (failure.code == Errc::Corrupt || failure.code == Errc::Io)
        return !m_local.read(sha256, [](std::string_view) { return Result<void>(); });
    return ::access(m_local.path(sha256).c_str(), R_OK) != 0;
}

Result<void> BucketContents::keepStuck(const LedgerContent& content, const Error& failure)
{
    logMessage(LogLevel::Warning, "an artifact's content cannot be uploaded: " + failure.message);
    {
        const std::lock_guard lock(m_mutex);
        m_stuck[content.sha256] = failure.message;
    }
    return m_ledger->mark({ content }, UploadLedger::State::Stuck);
}

Result<void> BucketContents::uploadAll(const std::vector<LedgerContent>& contents,
                                       const std::stop_token& stop)
{
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::optional<Error> failure; // guarded by mutex
    std::vector<LedgerContent> done; // guarded by mutex
    const auto flush = [&] { // with mutex held
        if (!done.empty())
            if (auto noted = m_ledger->mark(std::exchange(done, {}), UploadLedger::State::There);
                !noted && !failure)
                failure = std::move(noted.error());
    };
    const auto upload = [&] {
        while (!stop.stop_requested()) {
            const std::size_t place = next++;
            if (place >= contents.size())
                return;
            auto sent = uploadOne(contents[place], stop);
            const bool isStuck = !sent && isFileAtFault(contents[place].sha256, sent.error());
            if (isStuck)
                sent = keepStuck(contents[place], sent.error());
            const std::lock_guard lock(mutex);
            if (sent && !isStuck)
                done.push_back(contents[place]);
            else if (!sent && !failure)
                failure = std::move(sent.error());
            if (done.size() >= kProgressEvery)
                flush();
            if (failure) {
                next = contents.size();
                return;
            }
        }
    };
    {
        std::vector<std::jthread> threads;
        const auto count =
            std::min<std::size_t>(contents.size(), static_cast<std::size_t>(m_options.uploads));
        for (std::size_t each = 1; each < count; ++each)
            threads.emplace_back(upload);
        upload();
    }
    flush();
    return failure ? Result<void>(std::move(*failure)) : Result<void>();
}

Result<void> BucketContents::uploadOne(const LedgerContent& content, const std::stop_token& stop)
{
    const auto found = client();
    if (!found)
        return found.error();
    const std::string key = Bucket(**found).contentKey(content.sha256);
    const std::filesystem::path file = m_local.path(content.sha256);
    if (m_local.has(content.sha256)) {
        UploadOptions options = m_options.upload;
        options.hasCompared = content.wasThere;
        return uploadFile(**found, key, file, content.sha256, *m_ledger, options, stop);
    }
    const auto size = (*found)->sizeOf(key, stop); // it was given up as one that is there
    if (!size || *size)
        return size ? Result<void>() : Result<void>(size.error());
    return Error{ Errc::NotFound,
                  "the content " + content.sha256 + " is neither in " + file.parent_path().string()
                      + " nor in " + place() + ": it was removed before it was uploaded" };
}

Result<void> BucketContents::publish(const std::string& sha256, const std::stop_token& stop)
{
    using State = UploadLedger::State;
    const auto state = m_ledger->stateOf(sha256);
    if (!state)
        return state.error();
    if (*state == State::There)
        return {};
    const LedgerContent content{ sha256, sizeOnDisk(m_local.path(sha256)), false };
    if (*state == State::Waiting || *state == State::Stuck) {
        if (auto told = tellLines(stop); !told)
            return told;
        if (auto waited = waitAfterTelling(stop); !waited)
            return waited;
        if (auto uploaded = uploadOne(content, stop); !uploaded)
            return uploaded;
        return m_ledger->mark({ content }, State::There);
    }
    if (!m_local.has(sha256)) // an artifact's, uploaded and given up meanwhile
        return uploadOne(content, stop);
    const auto found = client();
    if (!found)
        return found.error();
    UploadOptions options = m_options.upload;
    options.replaces = true; // the week for which it stays begins now
    auto sent = uploadFile(**found, Bucket(**found).parcelKey(sha256), m_local.path(sha256), sha256,
                           *m_ledger, options, stop);
    return !sent && !m_local.has(sha256) ? uploadOne(content, stop) : sent;
}

void BucketContents::used(const std::string& sha256)
{
    static_cast<void>(m_ledger->touch(sha256));
}

// A content is fetched once at a time: other threads that want the same one wait for it.
Result<void> BucketContents::fetch(const std::string& sha256, std::uint64_t most, const std::stop_token& stop)
{
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, stop, [&] { return !m_fetching.contains(sha256); });
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "stopped" };
        if (m_local.has(sha256))
            return {};
        m_fetching.insert(sha256);
    }
    auto brought = bring(sha256, most == kAnySize ? m_options.mostBytes : most, stop);
    {
        const std::lock_guard lock(m_mutex);
        m_fetching.erase(sha256);
        m_changed.notify_all();
    }
    if (brought)
        trim(sha256);
    return brought;
}

Result<void> BucketContents::bring(const std::string& sha256, std::uint64_t most, const std::stop_token& stop)
{
    const auto found = client();
    if (!found)
        return found.error();
    // A folder that is new says what it names before it relies on what is there. A key that only reads
    // cannot.
    auto told = tellLines(stop);
    if (told)
        told = waitAfterTelling(stop);
    if (!told && told.error().code != Errc::PermissionDenied)
        return told;
    const Bucket bucket(**found);
    Result<void> got;
    for (const std::string& key : { bucket.contentKey(sha256), bucket.parcelKey(sha256) }) {
        auto writer = m_local.begin();
        if (!writer)
            return std::move(writer.error());
        got = (*found)->get(
            key, most, [&](std::string_view piece) { return (*writer)->write(piece); }, stop);
        if (!got && got.error().code == Errc::NotFound)
            continue;
        if (!got)
            return got;
        const std::uint64_t size = (*writer)->size();
        if (auto finished = (*writer)->finishAs(sha256); !finished)
            return std::move(finished.error()).during(m_address.place() + ": " + key);
        return m_ledger->mark({ { sha256, size, false } }, UploadLedger::State::Cached);
    }
    return Error{ Errc::NotFound,
                  "the content " + sha256 + " is neither in " + m_local.path(sha256).parent_path().string()
                      + " nor in " + place() + ". The machine that made it may not have uploaded it yet" };
}

// Gives up what was not used for longest, of what is in the bucket.
void BucketContents::trim(const std::string& kept)
{
    auto bytes = m_ledger->bytesThere();
    if (!bytes || *bytes <= m_options.cacheBytes)
        return;
    const std::uint64_t aim = m_options.cacheBytes / 10 * 9;
    while (*bytes > aim) {
        const auto oldest = m_ledger->longestUnused(kBatch);
        if (!oldest)
            return;
        const std::uint64_t before = *bytes;
        for (const LedgerContent& content : *oldest) {
            if (*bytes <= aim)
                return;
            if (content.sha256 == kept)
                continue;
            // The row goes first: a content without one is never given up.
            if (auto dropped = m_ledger->drop(content.sha256); !dropped)
                return;
            if (::unlink(m_local.path(content.sha256).c_str()) != 0 && errno != ENOENT)
                return;
            *bytes -= std::min(*bytes, content.size);
        }
        if (*bytes == before)
            return;
    }
}

bool BucketContents::hasCompared(const std::string& sha256)
{
    const auto state = m_ledger->stateOf(sha256);
    return state && (*state == UploadLedger::State::There || *state == UploadLedger::State::Cached);
}

Result<UploadState> BucketContents::waiting()
{
    const auto left = m_ledger->waiting();
    if (!left)
        return left.error();
    UploadState state{ left->count, left->bytes, {}, left->stuck };
    const std::lock_guard lock(m_mutex);
    if (left->count > left->stuck)
        state.fault = m_fault;
    if (left->stuck > 0 && state.fault.empty())
        state.fault = (m_stuck.empty() ? "the file is damaged or gone" : m_stuck.begin()->second)
            + (left->stuck > 1 ? "; and so are " + std::to_string(left->stuck - 1) + " more" : "");
    return state;
}

Result<UploadState> BucketContents::settle(const Progress& progress, const std::stop_token& stop)
{
    std::int64_t before = 0;
    {
        const std::lock_guard lock(m_mutex);
        before = m_rounds;
    }
    while (true) {
        auto state = waiting();
        if (!state)
            return state;
        if (progress)
            progress(*state);
        const auto lines = m_ledger->lines(1);
        if (state->count == state->stuck && lines && lines->empty())
            return state;
        wake();
        std::unique_lock lock(m_mutex);
        const bool isTried =
            m_changed.wait_for(lock, stop, std::chrono::milliseconds(500), [&] { return m_rounds > before; });
        if (isTried && !m_fault.empty()) {
            state->fault = m_fault;
            return state;
        }
        if (isTried)
            before = m_rounds;
        if (stop.stop_requested())
            return state;
    }
}

Result<void>
BucketContents::eachContent(const std::function<Result<void>(const std::string&, std::uint64_t)>& take,
                            const std::stop_token& stop)
{
    const auto found = client();
    if (!found)
        return found.error();
    return Bucket(**found).eachContent(take, stop);
}

Result<std::vector<std::string>> BucketContents::told(const std::stop_token& stop)
{
    const auto found = client();
    if (!found)
        return found.error();
    return Bucket(**found).toldBy(m_ledger->holder(), stop);
}

Result<SharedGarbage> BucketContents::collect(const Collect& wanted, const std::stop_token& stop)
{
    const auto found = client();
    if (!found)
        return found.error();
    Bucket::Collection collection;
    collection.holder = m_ledger->holder();
    collection.told = wanted.told;
    collection.dryRun = wanted.dryRun;
    collection.grace = wanted.grace;
    for (const Named& each : wanted.named) {
        collection.named.insert(each.sha256);
        collection.lines.push_back(each.line);
    }
    return Bucket(**found).collect(collection, stop);
}

Result<void> BucketContents::leave(const std::stop_token& stop)
{
    const auto found = client();
    if (!found)
        return found.error();
    Bucket bucket(**found);
    const auto told = bucket.toldBy(m_ledger->holder(), stop);
    if (!told)
        return told.error();
    if (auto removed = bucket.remove(*told, stop); !removed)
        return removed;
    return m_ledger->dropAll();
}

} // namespace sg::artifacts::s3
