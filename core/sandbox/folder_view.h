#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <sys/types.h>

namespace sg::sandbox {

// What a sandbox has besides where this process can look into it without asking its runner.
class FolderView {
public:
    virtual ~FolderView() = default;
    // /session as the sandbox has it now. What lies beneath is the code's own: nothing in it may be opened
    // but beneath this descriptor and without following links. Errc::Unsupported where it cannot be seen from
    // here (another machine, another user's processes). Any thread.
    virtual Result<Fd> openSessionFolder() = 0;
};

// A folder at the top of what the process sees. `end` is a pidfd of it: where it is gone, its number may be
// another's.
Result<Fd> openFolderOfProcess(pid_t process, int end, const char* name);

} // namespace sg::sandbox
