#include "core/sessions/records/session_folder.h"

#include "core/base/errno_error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/base/redaction.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace sg::sessions {
namespace {

constexpr const char* kLog = "session.log";
constexpr const char* kOldLog = "session.log.1";
constexpr const char* kMetadata = "session_metadata.json";
constexpr const char* kState = "python_state.json";
constexpr const char* kDatasetCache = "cache_datasets.json";
constexpr std::string_view kTemporary = ".sandglass-";
constexpr std::size_t kTemporaryLetters = 16;
constexpr std::int64_t kMostLogBytes = 64LL << 20;
constexpr int kMostLeftovers = 100'000; // entries that are searched for leftovers

Result<void> writeAll(int fd, std::string_view bytes, const std::string& doing)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errnoError(errno, doing);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

bool isTemporary(std::string_view name)
{
    return name.size() == kTemporary.size() + kTemporaryLetters + 4 && name.starts_with(kTemporary)
        && name.ends_with(".tmp")
        && name.find_first_not_of("0123456789abcdef", kTemporary.size()) == name.size() - 4;
}

// Removes files that a program was saving when it was killed.
void removeTemporaries(const std::filesystem::path& path, int folder)
{
    std::error_code failed;
    int entries = 0;
    for (std::filesystem::directory_iterator entry(path, failed), end;
         !failed && entry != end && entries < kMostLeftovers; entry.increment(failed), ++entries)
        if (const std::string name = entry->path().filename().string(); isTemporary(name))
            ::unlinkat(folder, name.c_str(), 0);
}

// True where the last line was cut off: its writer was killed, or the machine lost power.
bool endsWithinALine(int fd, std::int64_t size)
{
    char last = '\n';
    return size > 0 && ::pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

} // namespace

Result<SessionFolder> SessionFolder::open(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder.parent_path(), error);
    if (error)
        return errnoError(error.value(), "create the folder " + folder.parent_path().string());
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return errnoError(errno, "create the folder " + folder.string());
    Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd.isOpen())
        return errnoError(errno, "open the session's folder " + folder.string());
    if (::mkdirat(fd.get(), "artifacts", 0755) != 0 && errno != EEXIST)
        return errnoError(errno, "create the folder " + (folder / "artifacts").string());
    removeTemporaries(folder, fd.get());
    return SessionFolder(folder, std::move(fd));
}

bool SessionFolder::isItsOwn(std::string_view name)
{
    return name == kLog || name == kOldLog || name == kMetadata || name == kState || name == kDatasetCache
        || isTemporary(name);
}

Result<Fd> SessionFolder::openLog()
{
    const std::string doing = "open " + (m_path / kLog).string();
    for (int attempt = 0; attempt < 3; ++attempt) {
        Fd fd(::openat(m_folder.get(), kLog,
                       O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644));
        struct stat info { };
        const bool isOurs =
            fd.isOpen() && ::fstat(fd.get(), &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink == 1;
        if (isOurs && info.st_size < kMostLogBytes)
            return fd;
        if (!fd.isOpen() && errno != ELOOP && errno != ENXIO && errno != EISDIR)
            return errnoError(errno, doing);
        // The log is too long, or the session's code put a link, a pipe or a folder in its place.
        if (::renameat(m_folder.get(), kLog, m_folder.get(), kOldLog) != 0)
            return errnoError(errno, doing);
    }
    return Error{ Errc::InvalidArgument, doing + ": the session's code keeps replacing it" };
}

Result<void> SessionFolder::log(const std::string& timestamp, const std::string& event,
                                const ValueMap& details)
{
    const auto fd = openLog();
    if (!fd)
        return fd.error();
    ValueMap line{ { "timestamp", timestamp }, { "event", event } };
    for (const auto& [key, value] : details)
        line.set(key, value);
    struct stat info { };
    const bool isCut = ::fstat(fd->get(), &info) == 0 && endsWithinALine(fd->get(), info.st_size);
    return writeAll(fd->get(),
                    (isCut ? "\n" : "") + toJson(valueWithoutSecrets(Value(std::move(line)))) + "\n",
                    "write " + (m_path / kLog).string());
}

Result<void> SessionFolder::saveMetadata(const ValueMap& metadata) const
{
    return saveFile(kMetadata, metadata);
}

Result<void> SessionFolder::saveState(const ValueMap& state) const
{
    return saveFile(kState, state);
}

FolderSize SessionFolder::size() const
{
    return folderSize(m_folder.get());
}

// Writes a temporary file, flushes and renames it: after a crash either the old content or the new one is
// there.
Result<void> SessionFolder::saveFile(const char* name, const ValueMap& content) const
{
    const std::string doing = "save " + (m_path / name).string();
    std::array<char, 8> random{};
    fillRandomBytes(random.data(), random.size());
    const std::string temporary = std::string(kTemporary) + toHex({ random.data(), random.size() }) + ".tmp";
    const Fd fd(::openat(m_folder.get(), temporary.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (!fd.isOpen())
        return errnoError(errno, doing);
    auto written =
        writeAll(fd.get(), toJson(valueWithoutSecrets(Value(content)), JsonStyle::Indented) + "\n", doing);
    if (written && ::fsync(fd.get()) != 0)
        written = errnoError(errno, doing);
    if (written && ::renameat(m_folder.get(), temporary.c_str(), m_folder.get(), name) != 0)
        written = errnoError(errno, doing);
    if (!written)
        ::unlinkat(m_folder.get(), temporary.c_str(), 0);
    return written;
}

} // namespace sg::sessions
