#include "core/base/code_file.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/utf8.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sg {
namespace {

constexpr std::size_t kMostBytes = 8U << 20;

// Opens beneath `folder`, following links; the kernel refuses (EXDEV) a path that leads out of it.
int openBeneath(int folder, const char* path)
{
    struct open_how how { };
    how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    int fd = -1;
    do
        fd = static_cast<int>(::syscall(SYS_openat2, folder, path, &how, sizeof how));
    while (fd < 0 && errno == EAGAIN); // the folder was renamed while it looked
    return fd;
}

Error openError(int number, const std::string& file, const std::string& folder)
{
    if (number == ENOENT || number == ENOTDIR)
        return { Errc::NotFound,
                 "there is no code file " + file + " in " + folder
                     + "; create it or correct \"file\" in the graph" };
    if (number == EXDEV)
        return { Errc::PermissionDenied,
                 "the code file " + file + " is a link that leads out of " + folder
                     + "; only files beneath the graph's folder are used" };
    return errnoError(number, "open the code file " + file + " in " + folder);
}

// Code goes to Python as text: other bytes would arrive as U+FFFD, and the code would run with other texts.
Result<std::string> textOf(std::string source, const std::string& file)
{
    if (source.starts_with("\xEF\xBB\xBF")) // the mark of some editors, which Python skips, too
        source.erase(0, 3);
    if (!isValidUtf8(source))
        return Error{ Errc::Unsupported, file + ": it is not UTF-8 text; save it as that" };
    return source;
}

} // namespace

Result<std::string> readCodeFile(const std::filesystem::path& projectFolder, const RelativePath& file)
{
    const Fd folder(::open(projectFolder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.isOpen())
        return openError(errno, file.text(), projectFolder.string());
    const Fd fd(openBeneath(folder.get(), file.text().c_str()));
    if (!fd.isOpen())
        return openError(errno, file.text(), projectFolder.string());
    struct stat info { };
    if (::fstat(fd.get(), &info) != 0)
        return openError(errno, file.text(), projectFolder.string());
    if (!S_ISREG(info.st_mode))
        return Error{ Errc::InvalidArgument, "the code file " + file.text() + " is not a regular file" };
    std::string source;
    std::string buffer(64U << 10, '\0');
    while (true) {
        const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errnoError(errno, "read the code file " + file.text());
        if (got == 0)
            return textOf(std::move(source), file.text());
        source.append(buffer.data(), static_cast<std::size_t>(got));
        if (source.size() > kMostBytes)
            return Error{ Errc::LimitExceeded,
                          "the code file " + file.text() + " is larger than the " + std::to_string(kMostBytes)
                              + " bytes that are accepted" };
    }
}

} // namespace sg
