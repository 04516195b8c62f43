#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <sys/types.h>

namespace sg::sandbox {

// Implemented by sandboxes whose folder this process can read without asking the runner.
class FolderView {
public:
    virtual ~FolderView() = default;
    // /session as the sandbox has it now. Its content is the code's: it may only be opened beneath this
    // descriptor, without following links. Errc::Unsupported: it cannot be seen from here (another machine,
    // another user's processes). Any thread.
    virtual Result<Fd> openSessionFolder() = 0;
};

// A folder at the root of the file system that the process sees. `end` is its pidfd: without that, the pid
// could be another process's by now.
Result<Fd> openFolderOfProcess(pid_t process, int end, const char* name);

} // namespace sg::sandbox
