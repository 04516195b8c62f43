#include "core/artifacts/signed_token.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/hmac.h"
#include "core/base/random_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

namespace sg::artifacts {
namespace {

constexpr std::size_t kKeySize = 32;
constexpr std::size_t kLongestToken = 256;

std::int64_t secondsOf(WallTime time)
{
    return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

// The file appears under its name when it is complete, or not at all.
Result<void> makeKey(const std::filesystem::path& file)
{
    std::string key(kKeySize, '\0');
    fillRandomBytes(key.data(), key.size());
    std::string temporary = file.string() + ".XXXXXX";
    const Fd made(::mkostemp(temporary.data(), O_CLOEXEC)); // 0600
    if (!made.isOpen() || ::write(made.get(), key.data(), key.size()) != static_cast<ssize_t>(key.size())
        || ::fsync(made.get()) != 0)
        return errnoError(errno, "write the key " + file.string());
    const bool isLinked =
        ::link(temporary.c_str(), file.c_str()) == 0 || errno == EEXIST; // another process was faster
    const int failed = errno;
    ::unlink(temporary.c_str());
    return isLinked ? Result<void>() : errnoError(failed, "write the key " + file.string());
}

} // namespace

bool isArtifactId(std::string_view text)
{
    return text.size() == 28 && text.starts_with("art_")
        && std::ranges::all_of(text.substr(4), [](char each) {
               return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f');
           });
}

std::string signToken(std::string_view key, const ArtifactId& id, WallTime expires)
{
    const std::string message = id.value + '.' + std::to_string(secondsOf(expires));
    return toBase64Url(message) + '.' + toBase64Url(hmacSha256(key, message));
}

TokenCheck checkToken(std::string_view key, std::string_view token, WallTime now)
{
    const std::size_t dot = token.find('.');
    std::string message;
    if (token.size() > kLongestToken || dot == std::string_view::npos
        || !fromBase64Url(token.substr(0, dot), message))
        return {};
    // The signature is checked before anything in the message is read.
    if (!isSameSecretly(toBase64Url(hmacSha256(key, message)), token.substr(dot + 1)))
        return { TokenFault::Signature, {} };
    const std::size_t point = message.find('.');
    std::int64_t expires = 0;
    const char* const end = message.data() + message.size();
    if (point == std::string::npos || !isArtifactId(std::string_view(message).substr(0, point)))
        return {};
    if (const auto [read, failed] = std::from_chars(message.data() + point + 1, end, expires);
        failed != std::errc() || read != end)
        return {};
    const std::int64_t left = expires - secondsOf(now);
    if (left < 0 || left > kLongestTokenTime.count())
        return { TokenFault::Expired, {} };
    return { TokenFault::None, ArtifactId(message.substr(0, point)) };
}

Result<std::string> tokenKey(const std::filesystem::path& file)
{
    Fd opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!opened.isOpen() && errno == ENOENT) {
        if (auto made = makeKey(file); !made)
            return std::move(made.error());
        opened = Fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    }
    struct stat found { };
    if (!opened.isOpen() || ::fstat(opened.get(), &found) != 0)
        return errnoError(errno, "open the key " + file.string());
    if (!S_ISREG(found.st_mode) || (found.st_mode & 077U) != 0)
        return Error{ Errc::PermissionDenied,
                      file.string()
                          + " signs addresses of artifacts, but others can read it: remove it, and all that "
                            "was signed with it is void" };
    std::string key(kKeySize, '\0');
    if (::read(opened.get(), key.data(), key.size()) != static_cast<ssize_t>(key.size()))
        return Error{ Errc::Corrupt, file.string() + " is no key: remove it, and another is made" };
    return key;
}

} // namespace sg::artifacts
