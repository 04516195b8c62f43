#include "app/cli/standard_streams.h"

#include "core/base/errno_error.h"

#include <atomic>
#include <cerrno>

namespace sg::cli {
namespace {

std::atomic<int> firstError = 0; // of the process's stdout

void noteFailure()
{
    int none = 0;
    firstError.compare_exchange_strong(none, errno != 0 ? errno : EIO);
}

} // namespace

void printLine(std::FILE* stream, const std::string& text)
{
    errno = 0;
    const bool isWritten = std::fwrite(text.data(), 1, text.size(), stream) == text.size()
        && std::fputc('\n', stream) != EOF && std::fflush(stream) == 0;
    if (!isWritten && stream == stdout)
        noteFailure();
}

std::string stdoutProblem()
{
    errno = 0;
    if (std::fflush(stdout) != 0)
        noteFailure();
    const int error = firstError;
    return error == 0 || error == EPIPE ? std::string() : errnoText(error);
}

} // namespace sg::cli
