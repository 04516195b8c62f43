#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/log.h"
#include "core/datasets/dataset_format.h"
#include "core/datasets/dataset_source.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace sg::datasets {
namespace {

constexpr std::size_t kReadPiece = 1U << 20;
constexpr std::size_t kMostListed = 200'000;

Fd openFolder(const std::filesystem::path& folder)
{
    return Fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// Opens a regular file and follows no link: a dataset folder may have been unpacked from anywhere.
Fd openFile(const Fd& folder, const std::string& name, struct stat& found)
{
    Fd file(::openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.isOpen() || ::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode))
        return {};
    return file;
}

Fd openDataset(const std::filesystem::path& folder, const std::string& id, FoundFile& found)
{
    const Fd opened = openFolder(folder);
    if (!opened.isOpen())
        return {};
    for (const std::string& name : fileNamesFor(id)) {
        struct stat state { };
        if (Fd file = openFile(opened, name, state); file.isOpen()) {
            found = { name, state.st_size };
            return file;
        }
    }
    return {};
}

} // namespace

std::optional<FoundFile> findInFolder(const std::filesystem::path& folder, const std::string& id)
{
    FoundFile found;
    if (!openDataset(folder, id, found).isOpen())
        return std::nullopt;
    return found;
}

std::vector<FoundFile> datasetsInFolder(const std::filesystem::path& folder)
{
    const Fd opened = openFolder(folder);
    std::vector<FoundFile> files;
    if (!opened.isOpen())
        return files;
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(::dup(opened.get())), ::closedir);
    while (listing && files.size() <= kMostListed) {
        const dirent* entry = ::readdir(listing.get()); // NOLINT(concurrency-mt-unsafe): a stream of our own
        if (entry == nullptr)
            break;
        const std::string name = entry->d_name;
        struct stat state { };
        if (!formatOfName(name).empty() && checkedId(name)
            && ::fstatat(opened.get(), name.c_str(), &state, AT_SYMLINK_NOFOLLOW) == 0
            && S_ISREG(state.st_mode))
            files.push_back({ name, state.st_size });
    }
    if (files.size() > kMostListed) {
        files.pop_back();
        logMessage(LogLevel::Warning,
                   "the folder of datasets " + folder.string() + " holds more than "
                       + std::to_string(kMostListed)
                       + " files: the others are not listed, and are found by their names");
    }
    std::ranges::sort(files, {}, &FoundFile::name);
    return files;
}

Result<void> fetchFromFolder(const DatasetSource& source, const SourceWorld& world, const std::string& id,
                             const Sink& sink)
{
    const std::filesystem::path folder = world.project / source.folder;
    FoundFile found;
    const Fd file = openDataset(folder, id, found);
    if (!file.isOpen())
        return Error{ Errc::NotFound, "no file of this name in " + folder.string() };
    std::string piece(kReadPiece, '\0');
    while (true) {
        if (!sink.goesOn())
            return Error{ Errc::Cancelled, "it was stopped" };
        const ssize_t got = ::read(file.get(), piece.data(), piece.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errnoError(errno, "read " + (folder / found.name).string());
        if (got == 0)
            return {};
        if (auto taken = sink.take({ piece.data(), static_cast<std::size_t>(got) }); !taken)
            return taken;
    }
}

} // namespace sg::datasets
