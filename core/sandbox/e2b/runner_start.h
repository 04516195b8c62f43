#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sandbox/sandbox.h"

#include <string>

namespace sg::sandbox::e2b {

// A session's runner in a sandbox elsewhere: the file that is sent there, and the commands that start it and
// that find it again. Its place inside is named by the session.
struct RunnerStart {
    std::string bundlePath;
    std::string bundle;
    ValueList arguments; // of /bin/sh
};

// Errc::Unsupported names what the spec asks for and a sandbox elsewhere does not have.
Result<RunnerStart> runnerStart(const SandboxSpec& spec);
// Arguments of /bin/sh for a stream to the runner that is there already.
Result<ValueList> runnerAttach(const std::filesystem::path& runnerFolder, const std::string& session);

} // namespace sg::sandbox::e2b
