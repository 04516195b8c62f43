#pragma once

#include "core/base/relative_path.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sg::sessions {

class RunnerLink;

// The folder in which a session's file lies: /session, /session/artifacts or /data.
enum class FileRoot { Session, Artifacts, Data };

struct SessionFile {
    std::int64_t size = 0;
    std::int64_t modifiedNs = 0;
    std::int64_t inode = 0;
    std::string path; // absolute, inside; as the runner tells it
};

// The regular files beneath a root, by path; their paths are relative to it.
struct SessionListing {
    std::vector<SessionFile> files;
    bool isCut = false; // there are more
};

// SessionFileWriter sends a file into a session; it is not visible there before finish(). It may be used
// while a cell runs, and holds two chunks of 1 MiB. One owner, one thread.
class SessionFileWriter {
public:
    virtual ~SessionFileWriter() = default; // without finish(): what was sent is discarded
    virtual Result<void>
    write(std::string_view bytes) = 0; // Errc::InvalidArgument: refused or no space there
    virtual Result<std::string> finish() = 0; // its absolute path inside
};

// Reads a whole file in bounded memory. Errc::Conflict: the file changed meanwhile; InvalidArgument: the
// sandbox refused a link or a special file. An error from `take` ends the reading.
Result<SessionFile> readSessionFile(RunnerLink& link, FileRoot root, const RelativePath& path,
                                    const std::function<Result<void>(std::string_view)>& take);
// May be called while a cell runs. Links, sockets and the like are left out.
Result<SessionListing> listSessionFiles(RunnerLink& link, FileRoot root, std::size_t most);
Result<SessionFile> lookAtSessionFile(RunnerLink& link, FileRoot root, const RelativePath& path);
std::unique_ptr<SessionFileWriter> writeSessionFile(RunnerLink& link, FileRoot root,
                                                    const RelativePath& path);

} // namespace sg::sessions
