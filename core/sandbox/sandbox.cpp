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

Result<std::string> SandboxBackend::pythonIdentity(const SandboxSpec&)
{
    return Error{ Errc::Unsupported, "this kind of sandbox takes no packages beside its own" };
}

} // namespace sg::sandbox
