#include "core/settings/secret_source.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

namespace sg::settings {
namespace {

namespace fs = std::filesystem;

Result<std::string> readWhole(int file, const fs::path& path, std::size_t size)
{
    std::string bytes(size, '\0');
    for (std::size_t have = 0; have < size;) {
        const ssize_t got = ::read(file, bytes.data() + have, size - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errnoError(errno, "read " + path.string());
        if (got == 0) {
            bytes.resize(have);
            break;
        }
        have += static_cast<std::size_t>(got);
    }
    return bytes;
}

} // namespace

std::string secretVariable(const std::string& name)
{
    std::string variable = "SANDGLASS_SECRET_" + name;
    std::ranges::transform(variable, variable.begin(), [](unsigned char each) {
        return each == '-' ? '_' : static_cast<char>(std::toupper(each));
    });
    return variable;
}

fs::path secretsFolder(const SecretSource::Variables& variables)
{
    if (const auto folder = variables("XDG_CONFIG_HOME"); folder && fs::path(*folder).is_absolute())
        return fs::path(*folder) / "sandglass/secrets";
    if (const auto home = variables("HOME"); home && fs::path(*home).is_absolute())
        return fs::path(*home) / ".config/sandglass/secrets";
    return {};
}

SecretSource::SecretSource(Variables variables, fs::path folder, Keyring keyring)
    : m_variables(std::move(variables))
    , m_folder(std::move(folder))
    , m_keyring(std::move(keyring))
{
}

Result<std::optional<std::string>> SecretSource::fromFile(const std::string& name) const
{
    if (m_folder.empty())
        return std::optional<std::string>();
    const fs::path path = m_folder / name;
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file.isOpen())
        return errno == ENOENT || errno == ENOTDIR
            ? Result<std::optional<std::string>>(std::optional<std::string>())
            : errnoError(errno, "open the secret " + path.string());
    struct stat found { };
    if (::fstat(file.get(), &found) != 0)
        return errnoError(errno, "look at " + path.string());
    if (!S_ISREG(found.st_mode) || (found.st_uid != ::geteuid() && found.st_uid != 0))
        return Error{ Errc::PermissionDenied,
                      path.string() + " is no file of this user's, so it is not taken for a secret" };
    if ((found.st_mode & 077U) != 0)
        return Error{ Errc::PermissionDenied,
                      path.string()
                          + " can be read by others, so it is no secret any more: change it where it counts, "
                          + "then chmod 600 " + path.string() };
    if (found.st_size > static_cast<off_t>(kLongestSecret))
        return Error{ Errc::LimitExceeded, path.string() + " is larger than 16 KiB, which no secret is" };
    auto bytes = readWhole(file.get(), path, static_cast<std::size_t>(found.st_size));
    if (!bytes)
        return std::move(bytes.error());
    if (bytes->ends_with('\n'))
        bytes->pop_back();
    return std::optional(std::move(*bytes));
}

Result<Secret> SecretSource::find(const std::string& name) const
{
    if (!isSecretName(name))
        return Error{
            Errc::InvalidArgument,
            "\"" + name.substr(0, 64)
                + "\" is no name for a secret: a letter, then letters, digits, \"_\" and \"-\", at most 64"
        };
    std::optional<std::string> bytes = m_variables(secretVariable(name));
    if (!bytes || bytes->empty()) {
        auto filed = fromFile(name);
        if (!filed)
            return std::move(filed.error());
        bytes = std::move(*filed);
    }
    std::string noKeyring;
    if (!bytes && m_keyring) {
        auto kept = m_keyring(name);
        if (!kept && kept.error().code != Errc::Unavailable)
            return std::move(kept.error()).during("ask the keyring for the secret " + name);
        if (kept)
            bytes = std::move(*kept);
        else
            noKeyring = "; " + kept.error().message;
    }
    if (!bytes || bytes->empty())
        return Error{ Errc::NotFound,
                      "the secret \"" + name + "\" is not there. Store it with: sandglass secret set " + name
                          + ". Or put it into " + (m_folder / name).string()
                          + " (chmod 600), or into the variable " + secretVariable(name) + noKeyring };
    if (bytes->size() > kLongestSecret)
        return Error{ Errc::LimitExceeded, "the secret " + name + " is larger than 16 KiB" };
    return Secret(name, std::move(*bytes));
}

std::string SecretSource::placeOf(const std::string& name) const
{
    if (const auto value = m_variables(secretVariable(name)); value && !value->empty())
        return "environment";
    std::error_code failed;
    if (!m_folder.empty() && isSecretName(name) && fs::exists(m_folder / name, failed))
        return "file";
    if (m_keyring)
        if (const auto kept = m_keyring(name); kept && *kept)
            return "keyring";
    return {};
}

Result<void> SecretSource::file(const std::string& name, const std::string& secret) const
{
    std::error_code failed;
    fs::create_directories(m_folder, failed);
    if (failed)
        return errnoError(failed.value(), "create folder " + m_folder.string());
    fs::permissions(m_folder, fs::perms::owner_all, failed);
    const fs::path path = m_folder / name;
    const fs::path written = m_folder / ('.' + name + ".new");
    fs::remove(written, failed);
    const Fd out(::open(written.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!out.isOpen())
        return errnoError(errno, "write " + written.string());
    const ssize_t wrote = ::write(out.get(), secret.data(), secret.size());
    if (wrote >= 0 && wrote != static_cast<ssize_t>(secret.size()))
        errno = ENOSPC; // a partial write sets no errno
    const bool isWhole = wrote == static_cast<ssize_t>(secret.size()) && ::fsync(out.get()) == 0
        && ::rename(written.c_str(), path.c_str()) == 0;
    if (isWhole)
        return {};
    const int why = errno;
    fs::remove(written, failed);
    return errnoError(why, "write " + path.string());
}

Result<bool> SecretSource::unfile(const std::string& name) const
{
    std::error_code failed;
    const bool was = isSecretName(name) && fs::remove(m_folder / name, failed);
    return failed ? Result<bool>(errnoError(failed.value(), "remove " + (m_folder / name).string()))
                  : Result<bool>(was);
}

std::vector<std::string> SecretSource::filed() const
{
    std::vector<std::string> names;
    std::error_code failed;
    for (fs::directory_iterator entry(m_folder, failed), end; !failed && entry != end;
         entry.increment(failed))
        if (const std::string name = entry->path().filename().string(); isSecretName(name))
            names.push_back(name);
    std::ranges::sort(names);
    return names;
}

} // namespace sg::settings
