#include "core/artifacts/blob_store.h"

#include "core/base/errno_error.h"
#include "core/base/printable.h"
#include "core/base/random_bytes.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <set>
#include <system_error>
#include <vector>

namespace sg::artifacts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTemporaryFolder = "tmp";
constexpr std::size_t kChunk = 256U << 10;
constexpr std::uint64_t kWriteBack = 8U << 20;

fs::path blobFolder(const fs::path& root, std::string_view sha256)
{
    return root / std::string(sha256.substr(0, 2)) / std::string(sha256.substr(2, 2));
}

Result<void> syncFolder(const fs::path& folder)
{
    const Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.isOpen() || (::fsync(fd.get()) != 0 && errno != EINVAL))
        return errnoError(errno, "flush the folder " + folder.string());
    return {};
}

// Returns true if the folder is new, false if it existed.
Result<bool> makeFolder(const fs::path& folder)
{
    if (::mkdir(folder.c_str(), 0755) == 0)
        return true;
    if (errno == EEXIST)
        return false;
    return errnoError(errno, "create the folder " + folder.string());
}

// Makes the two folders above a blob. A new one is flushed into its parent, because a crash could otherwise
// lose it with the blob; without `flushes` that is done later.
Result<void> makeBlobFolder(const fs::path& root, const fs::path& folder, bool flushes)
{
    for (const fs::path& level : { folder.parent_path(), folder }) {
        const auto made = makeFolder(level);
        if (!made)
            return made.error();
        if (!*made || !flushes)
            continue;
        if (auto synced = syncFolder(level == folder ? folder.parent_path() : root); !synced)
            return synced;
    }
    return {};
}

void sweepTemporaries(const fs::path& folder)
{
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const Fd fd(::open(entry.path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        // A live writer holds the lock.
        if (fd.isOpen() && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0)
            ::unlink(entry.path().c_str());
    }
}

bool isStillLinked(int fd)
{
    struct stat info { };
    return ::fstat(fd, &info) == 0 && info.st_nlink > 0;
}

} // namespace

BlobWriter::BlobWriter(fs::path root, fs::path temporary, Fd fd, bool flushes)
    : m_root(std::move(root))
    , m_temporary(std::move(temporary))
    , m_flushes(flushes)
    , m_fd(std::move(fd))
{
}

BlobWriter::~BlobWriter()
{
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

Result<void> BlobWriter::write(std::string_view bytes)
{
    m_hash.update(bytes);
    m_secrets.push(bytes);
    m_size += bytes.size();
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_fd.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errnoError(errno, "write to " + m_root.string());
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (m_size - m_sentBack >= kWriteBack)
        writeBack();
    return {};
}

// Sends a large file to the disk while it is being written and drops it from the page cache: the final flush
// has little left to do, and a gigabyte does not displace what this machine works with. File systems that
// support neither get the flush alone.
void BlobWriter::writeBack()
{
    const auto begin = static_cast<off64_t>(m_sentBack);
    const auto length = static_cast<off64_t>(m_size - m_sentBack);
    (void)::sync_file_range(m_fd.get(), begin, length, SYNC_FILE_RANGE_WRITE);
    if (m_flushes && begin > 0) { // otherwise the later flush finds what was started here
        constexpr unsigned kWhole =
            SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
        (void)::sync_file_range(m_fd.get(), 0, begin, kWhole);
        (void)::posix_fadvise(m_fd.get(), 0, begin, POSIX_FADV_DONTNEED);
    }
    m_sentBack = m_size;
}

Result<std::string> BlobWriter::finish()
{
    if (m_secrets.hasMet())
        return Error{ Errc::InvalidArgument, "it holds a secret of this user, and so is not stored" };
    return place(m_hash.finishHex());
}

Result<void> BlobWriter::finishAs(std::string_view sha256)
{
    std::string hash = m_hash.finishHex();
    if (hash != sha256)
        return Error{ Errc::Corrupt, "the content does not match its SHA-256; it was changed or damaged" };
    const auto placed = place(std::move(hash));
    return placed ? Result<void>() : Result<void>(placed.error());
}

// Gives the content its place.
Result<std::string> BlobWriter::place(std::string hash)
{
    const std::string doing = "store a file in " + m_root.string();
    if (::fchmod(m_fd.get(), 0444) != 0 || (m_flushes && ::fsync(m_fd.get()) != 0))
        return errnoError(errno, doing);
    const fs::path folder = blobFolder(m_root, hash);
    m_isNew = ::access((folder / hash).c_str(), F_OK) != 0;
    // An existing blob has this content or is damaged, so replacing it loses nothing and repairs it.
    const auto isPlaced = [&] { return ::rename(m_temporary.c_str(), (folder / hash).c_str()) == 0; };
    if (!isPlaced()) {
        if (errno != ENOENT)
            return errnoError(errno, doing);
        if (auto made = makeBlobFolder(m_root, folder, m_flushes); !made)
            return std::move(made.error()).during(doing);
        if (!isPlaced())
            return errnoError(errno, doing);
    }
    m_temporary.clear();
    m_fd.reset();
    if (auto synced = m_flushes ? syncFolder(folder) : Result<void>(); !synced)
        return std::move(synced.error()).during(doing);
    return hash;
}

Result<BlobStore> BlobStore::open(const fs::path& root, std::shared_ptr<SharedContents> shared)
{
    std::error_code error;
    fs::create_directories(root / kTemporaryFolder, error);
    std::error_code missing;
    const bool isToRead = error && ::access(root.c_str(), W_OK) != 0 && fs::is_directory(root, missing);
    if (error && !isToRead)
        return errnoError(error.value(), "create the folder " + (root / kTemporaryFolder).string());
    sweepTemporaries(root / kTemporaryFolder);
    return BlobStore(root, std::move(shared));
}

Result<void> BlobStore::flush() const
{
    const Fd fd(::open(m_root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.isOpen() || ::syncfs(fd.get()) != 0)
        return errnoError(errno, "flush " + m_root.string());
    return {};
}

Result<void> BlobStore::flush(const std::vector<std::string>& blobs) const
{
    if (blobs.empty())
        return {};
    std::set<fs::path> folders{ m_root };
    for (const std::string& blob : blobs) {
        const fs::path file = path(blob);
        const Fd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
        if (!fd.isOpen() || ::fsync(fd.get()) != 0)
            return errnoError(errno, "flush " + file.string());
        folders.insert(file.parent_path());
        folders.insert(file.parent_path().parent_path());
    }
    for (const fs::path& folder : folders)
        if (auto synced = syncFolder(folder); !synced)
            return synced;
    return {};
}

bool BlobStore::has(std::string_view sha256) const
{
    std::error_code error;
    return fs::is_regular_file(path(sha256), error);
}

Result<void> BlobStore::fetch(std::string_view sha256, std::uint64_t most, const std::stop_token& stop) const
{
    if (m_shared == nullptr || !isSha256Hex(sha256))
        return {};
    if (has(sha256)) {
        m_shared->used(std::string(sha256));
        return {};
    }
    return m_shared->fetch(std::string(sha256), most, stop);
}

Result<void> BlobStore::publish(const std::string& sha256, const std::stop_token& stop) const
{
    return m_shared == nullptr ? Result<void>() : m_shared->publish(sha256, stop);
}

Result<std::unique_ptr<BlobWriter>> BlobStore::begin(Flush flush) const
{
    for (int attempt = 0; attempt < 16; ++attempt) {
        std::array<char, 12> random{};
        fillRandomBytes(random.data(), random.size());
        fs::path path = m_root / kTemporaryFolder / toHex({ random.data(), random.size() });
        Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!fd.isOpen() && errno != EEXIST)
            return errnoError(errno, "create a file in " + (m_root / kTemporaryFolder).string());
        // Another process may have removed the file before it was locked; then a new one is made.
        if (fd.isOpen() && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 && isStillLinked(fd.get()))
            return std::unique_ptr<BlobWriter>(
                new BlobWriter(m_root, std::move(path), std::move(fd), flush == Flush::Each));
    }
    return Error{ Errc::Busy,
                  "create a file in " + (m_root / kTemporaryFolder).string()
                      + ": other programs keep removing it" };
}

fs::path BlobStore::path(std::string_view sha256) const
{
    return isSha256Hex(sha256) ? blobFolder(m_root, sha256) / std::string(sha256) : fs::path();
}

Result<void> BlobStore::read(std::string_view sha256,
                             const std::function<Result<void>(std::string_view)>& sink,
                             const std::stop_token& stop) const
{
    const fs::path file = path(sha256);
    if (file.empty())
        return Error{ Errc::Corrupt,
                      "read a content of " + m_root.string() + ": '" + printableText(sha256.substr(0, 80))
                          + "' is no SHA-256; the database was changed or damaged" };
    if (auto fetched = fetch(sha256, kAnySize, stop); !fetched)
        return fetched;
    const std::string doing = "read " + file.string();
    const Fd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!fd.isOpen())
        return errnoError(errno, doing);
    Sha256 hash;
    std::vector<char> buffer(kChunk);
    while (true) {
        const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errnoError(errno, doing);
        if (got == 0)
            break;
        const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
        hash.update(bytes);
        if (auto taken = sink(bytes); !taken)
            return taken;
    }
    if (hash.finishHex() != sha256)
        return Error{ Errc::Corrupt,
                      doing + ": the content does not match its SHA-256; it was changed or damaged" };
    return {};
}

} // namespace sg::artifacts
