#include "core/settings/consent_file.h"

#include "core/base/file.h"
#include "core/base/hash.h"

#include <system_error>
#include <utility>

namespace fs = std::filesystem;

namespace sg::settings {
namespace {

constexpr std::size_t kMostBytes = 16U << 20;

} // namespace

ConsentFile::ConsentFile(fs::path file)
    : m_file(std::move(file))
{
}

std::string ConsentFile::mark(const fs::path& project, const std::string& what)
{
    std::error_code failed;
    return sha256Hex(fs::weakly_canonical(project, failed).string() + "\n" + what);
}

bool ConsentFile::has(const std::string& mark) const
{
    std::error_code failed;
    if (m_file.empty() || !fs::exists(m_file, failed))
        return false;
    const auto text = readFile(m_file, kMostBytes);
    return text && ("\n" + *text).find("\n" + mark + "\n") != std::string::npos;
}

Result<void> ConsentFile::add(const std::string& mark)
{
    if (has(mark))
        return {};
    if (m_file.empty())
        return Error{ Errc::Unavailable,
                      "there is no place to note it: neither HOME nor XDG_DATA_HOME is set" };
    std::error_code failed;
    fs::create_directories(m_file.parent_path(), failed);
    std::string text;
    if (fs::exists(m_file, failed)) {
        auto before = readFile(m_file, kMostBytes);
        if (!before)
            return std::move(before.error());
        text = std::move(*before);
    }
    return writeFileAtomically(m_file, text + mark + "\n");
}

} // namespace sg::settings
