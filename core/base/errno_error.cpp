#include "core/base/errno_error.h"

#include <cerrno>
#include <system_error>

namespace sg {
namespace {

Errc codeOf(int number)
{
    switch (number) {
    case ENOENT:
    case ENOTDIR: return Errc::NotFound;
    case EEXIST: return Errc::Exists;
    case EACCES:
    case EPERM:
    case EROFS: return Errc::PermissionDenied;
    case ENOSPC:
    case EDQUOT: return Errc::NoSpace;
    case EBUSY:
    case ETXTBSY: return Errc::Busy;
    case EINVAL:
    case EISDIR:
    case ENAMETOOLONG:
    case ELOOP: return Errc::InvalidArgument;
    case EFBIG:
    case EMFILE:
    case ENFILE: return Errc::LimitExceeded;
    case ETIMEDOUT: return Errc::Timeout;
    case ECONNREFUSED: return Errc::Unavailable;
    default: return Errc::Io;
    }
}

std::string nextStep(int number)
{
    switch (number) {
    case ENOSPC: return "; free some space on that disk and try again";
    case EDQUOT: return "; free some space within your quota and try again";
    case EROFS: return "; choose a folder that can be written";
    default: return {};
    }
}

} // namespace

std::string errnoText(int number)
{
    return std::error_code(number, std::generic_category()).message();
}

Error errnoError(int number, const std::string& doing)
{
    return { codeOf(number), doing + ": " + errnoText(number) + nextStep(number) };
}

} // namespace sg
