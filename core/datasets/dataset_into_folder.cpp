#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/datasets/dataset_format.h"
#include "core/datasets/dataset_providers.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::datasets {
namespace {

// A temporary file that gets its name when it is complete.
class PartialFile {
public:
    explicit PartialFile(fs::path folder)
        : m_folder(std::move(folder))
    {
    }
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;
    ~PartialFile()
    {
        if (m_file.isOpen())
            ::unlink(m_path.c_str());
    }

    void open(const std::string& name)
    {
        m_target = m_folder / name;
        m_path = m_folder / ("." + name + "." + std::to_string(::getpid()) + ".part");
        m_file = Fd(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
        m_errno = m_file.isOpen() ? 0 : errno;
    }

    Result<void> write(std::string_view bytes)
    {
        if (m_errno != 0)
            return failed(m_errno);
        while (!bytes.empty()) {
            const ssize_t written = ::write(m_file.get(), bytes.data(), bytes.size());
            if (written < 0 && errno != EINTR)
                return failed(errno);
            bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
        }
        return {};
    }

    Result<fs::path> finish()
    {
        if (::fsync(m_file.get()) != 0 || std::rename(m_path.c_str(), m_target.c_str()) != 0)
            return failed(errno);
        m_file.reset();
        return m_target;
    }

private:
    [[nodiscard]] Error failed(int number) const { return errnoError(number, "write " + m_path.string()); }

    const fs::path m_folder;
    fs::path m_target;
    fs::path m_path;
    Fd m_file;
    int m_errno = 0;
};

} // namespace

Result<DatasetProviders::Fetched>
DatasetProviders::fetchInto(const fs::path& folder, const std::string& id,
                            const std::function<bool()>& goesOn,
                            const std::function<void(const DatasetSource&)>& usesSecret) const
{
    const auto checked = checkedId(id);
    if (!checked)
        return checked.error();
    std::error_code failed;
    fs::create_directories(folder, failed);
    PartialFile file(folder);
    const Sink sink{ [&](std::string_view bytes) { return file.write(bytes); }, goesOn, usesSecret };
    auto fetched = fetch(
        *checked, [&](const std::string& name) { file.open(name); }, sink);
    if (!fetched)
        return fetched;
    auto path = file.finish();
    if (!path)
        return path.error();
    fetched->path = std::move(*path);
    return fetched;
}

} // namespace sg::datasets
