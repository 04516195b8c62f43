#include "core/sessions/records/session_folder_view.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/json.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <optional>
#include <system_error>

namespace sg::sessions {
namespace {

constexpr std::size_t kMostBytes = 8U << 20;
constexpr std::size_t kMostFiles = 10'000;
constexpr std::size_t kMostLines = 100'000;
constexpr std::size_t kShownOfLine = 200;

// Reads the last bytes of a regular file, without following links. nullopt: there is none.
std::optional<Result<std::string>> readTail(int folder, const char* name)
{
    const Fd fd(::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!fd.isOpen() && errno == ENOENT)
        return std::nullopt;
    struct stat info { };
    if (!fd.isOpen() && errno != ELOOP)
        return Result<std::string>(errnoError(errno, name));
    if (!fd.isOpen() || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode))
        return Result<std::string>(
            Error{ Errc::InvalidArgument, std::string(name) + ": no plain file, not read" });
    const std::int64_t from = std::max<std::int64_t>(info.st_size - static_cast<std::int64_t>(kMostBytes), 0);
    std::string text(kMostBytes, '\0');
    std::size_t have = 0;
    while (have < text.size()) {
        const ssize_t got =
            ::pread(fd.get(), text.data() + have, text.size() - have, from + static_cast<std::int64_t>(have));
        if (got <= 0)
            break;
        have += static_cast<std::size_t>(got);
    }
    text.resize(have);
    if (from > 0)
        text.erase(0, std::min(text.find('\n') + 1, text.size()));
    return Result<std::string>(std::move(text));
}

Value readObject(int folder, const char* name, std::vector<std::string>& problems)
{
    const auto text = readTail(folder, name);
    if (!text)
        return {};
    if (!*text) {
        problems.push_back(text->error().message);
        return {};
    }
    auto value = parseJson(**text);
    if (value && value->isMap())
        return std::move(*value);
    problems.push_back(std::string(name) + ": " + (value ? "no JSON object" : value.error().message));
    return {};
}

void readLog(int folder, std::size_t most, SessionFolderView& view)
{
    const auto text = readTail(folder, "session.log");
    if (!text)
        return;
    if (!*text) {
        view.problems.push_back(text->error().message);
        return;
    }
    std::deque<std::string_view> lines;
    const std::string_view all = **text;
    for (std::size_t from = 0; from < all.size();) {
        const std::size_t end = std::min(all.find('\n', from), all.size());
        if (end > from) {
            lines.push_back(all.substr(from, end - from));
            ++view.logLines;
            if (lines.size() > (most == 0 ? kMostLines : most))
                lines.pop_front();
        }
        from = end + 1;
    }
    for (const std::string_view line : lines) {
        auto value = parseJson(line);
        if (value && value->isMap())
            view.log.push_back(std::move(*value));
        else
            view.log.push_back(Value::map({ { "problem", "Invalid JSON in log" },
                                            { "line", std::string(line.substr(0, kShownOfLine)) } }));
    }
}

void listArtifacts(int folder, SessionFolderView& view)
{
    const Fd root(::openat(folder, "artifacts", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!root.isOpen())
        return;
    const std::string base = "/proc/self/fd/" + std::to_string(root.get()) + "/.";
    std::error_code failed;
    for (std::filesystem::recursive_directory_iterator
             entry(base, std::filesystem::directory_options::skip_permission_denied, failed),
         end;
         !failed && entry != end && view.artifacts.size() <= kMostFiles; entry.increment(failed)) {
        struct stat info { };
        if (::lstat(entry->path().c_str(), &info) == 0 && S_ISREG(info.st_mode))
            view.artifacts.push_back({ entry->path().string().substr(base.size() + 1), info.st_size });
    }
    if (view.artifacts.size() > kMostFiles) {
        view.artifacts.pop_back();
        view.problems.push_back("artifacts: only " + std::to_string(kMostFiles)
                                + " files are listed; the folder holds more");
    }
    std::ranges::sort(view.artifacts, {}, &SessionFolderView::File::path);
}

} // namespace

Result<SessionFolderView> viewSessionFolder(const std::filesystem::path& folder,
                                            const SessionFolderQuery& query)
{
    const Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.isOpen())
        return errnoError(errno, "open the session's folder " + folder.string());
    SessionFolderView view;
    view.metadata = readObject(fd.get(), "session_metadata.json", view.problems);
    readLog(fd.get(), query.lines, view);
    if (query.state)
        view.state = readObject(fd.get(), "python_state.json", view.problems);
    if (query.artifacts)
        listArtifacts(fd.get(), view);
    return view;
}

} // namespace sg::sessions
