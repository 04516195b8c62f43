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

// Where a path of a session's file begins: /session, /session/artifacts, /data.
enum class FileRoot { Session, Artifacts, Data };

struct SessionFile {
    std::int64_t size = 0;
    std::int64_t modifiedNs = 0;
    std::int64_t inode = 0;
    std::string path; // absolute, inside; as the runner says it
};

// The regular files beneath a root, by path; their paths are relative to it.
struct SessionListing {
    std::vector<SessionFile> files;
    bool isCut = false; // there are more
};

// A file on its way into a session, in pieces; nothing is visible there before finish(). One owner, one
// thread; may be used while a cell runs. Memory: two chunks of 1 MiB.
class SessionFileWriter {
public:
    virtual ~SessionFileWriter() = default; // without finish(): what came is given up
    virtual Result<void>
    write(std::string_view bytes) = 0; // Errc::InvalidArgument: refused or no space there
    virtual Result<std::string> finish() = 0; // its absolute path inside
};

// Reads a whole file in bounded memory; a file that changes meanwhile is Errc::Conflict. Links and what is no
// regular file are refused inside the sandbox (Errc::InvalidArgument). `take` may end it by an error.
Result<SessionFile> readSessionFile(RunnerLink& link, FileRoot root, const RelativePath& path,
                                    const std::function<Result<void>(std::string_view)>& take);
// May be asked while a cell runs. What is refused there (links, sockets, …) is left out.
Result<SessionListing> listSessionFiles(RunnerLink& link, FileRoot root, std::size_t most);
Result<SessionFile> lookAtSessionFile(RunnerLink& link, FileRoot root, const RelativePath& path);
std::unique_ptr<SessionFileWriter> writeSessionFile(RunnerLink& link, FileRoot root,
                                                    const RelativePath& path);

} // namespace sg::sessions
