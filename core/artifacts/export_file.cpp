#include "core/artifacts/export_file.h"

#include "core/artifacts/export_name.h"
#include "core/base/errno_error.h"
#include "core/base/hash.h"
#include "core/base/random_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace sg::artifacts {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr int kMaxNumber = 10'000;

void setModified(int fd, std::int64_t modifiedNs)
{
    std::int64_t seconds = modifiedNs / kNsPerSecond;
    std::int64_t rest = modifiedNs % kNsPerSecond;
    if (rest < 0) {
        rest += kNsPerSecond;
        --seconds;
    }
    const std::array<struct timespec, 2> times{ { { 0, UTIME_NOW }, { seconds, rest } } };
    // It is no failure if the file system cannot hold the time.
    static_cast<void>(::futimens(fd, times.data()));
}

} // namespace

ExportFile::ExportFile(std::filesystem::path folder, std::filesystem::path temporary, Fd fd)
    : m_folder(std::move(folder))
    , m_temporary(std::move(temporary))
    , m_fd(std::move(fd))
{
}

ExportFile::ExportFile(ExportFile&& other) noexcept
    : m_folder(std::move(other.m_folder))
    , m_temporary(std::exchange(other.m_temporary, {}))
    , m_fd(std::move(other.m_fd))
{
}

ExportFile::~ExportFile()
{
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

Result<ExportFile> ExportFile::create(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return errnoError(error.value(), "create the folder " + folder.string());
    std::array<char, 8> random{};
    fillRandomBytes(random.data(), random.size());
    std::filesystem::path path = folder / (".sandglass-" + toHex({ random.data(), random.size() }) + ".part");
    Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!fd.isOpen())
        return errnoError(errno, "create a file in " + folder.string());
    return ExportFile(folder, std::move(path), std::move(fd));
}

Result<void> ExportFile::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_fd.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errnoError(errno, "write to " + m_folder.string());
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<std::filesystem::path> ExportFile::finish(const std::string& name, std::int64_t modifiedNs)
{
    setModified(m_fd.get(), modifiedNs);
    if (::close(m_fd.take()) != 0)
        return errnoError(errno, "write to " + m_folder.string());
    for (int number = 1; number <= kMaxNumber; ++number) {
        std::filesystem::path target = m_folder / numberedExportName(name, number);
        // The empty file reserves the name on every file system; hard links would not work on all.
        const Fd reserved(::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
        if (!reserved.isOpen()) {
            if (errno == EEXIST)
                continue;
            return errnoError(errno, "create " + target.string());
        }
        if (::rename(m_temporary.c_str(), target.c_str()) != 0) {
            const int failure = errno;
            ::unlink(target.c_str());
            return errnoError(failure, "create " + target.string());
        }
        m_temporary.clear();
        return target;
    }
    return Error{ Errc::Exists, m_folder.string() + " holds too many files named " + name };
}

} // namespace sg::artifacts
