#include "core/sandbox/sandbox.h"

namespace sg::sandbox {

Result<void> Sandbox::pause()
{
    return Error{ Errc::Unsupported, name() + " cannot be paused" };
}

Result<void> Sandbox::unpause()
{
    return Error{ Errc::Unsupported, name() + " cannot be paused" };
}

Result<void> Sandbox::setLimits(const Limits&)
{
    return Error{ Errc::Unsupported, name() + ": its limits are fixed while it runs" };
}

} // namespace sg::sandbox
