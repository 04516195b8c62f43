#include "app/cli/output.h"

#include "core/base/json.h"
#include "core/base/printable.h"

#include <cstdio>

namespace sg::cli {
namespace {

const char* codeName(ExitCode code)
{
    switch (code) {
    case Done: return "done";
    case Failed: return "failed";
    case Usage: return "usage";
    case InvalidGraph: return "invalid_graph";
    case RunFailed: return "run_failed";
    case Waiting: return "waiting";
    case NoSandbox: return "no_sandbox";
    case DatabaseBusy: return "database_busy";
    case Stopped: return "stopped";
    }
    return "failed";
}

void put(std::FILE* stream, const std::string& text)
{
    std::fwrite(text.data(), 1, text.size(), stream);
    std::fputc('\n', stream);
    std::fflush(stream);
}

} // namespace

void Output::document(const Value& value) const
{
    put(stdout, toJson(value, JsonStyle::Indented));
}

void Output::line(const Value& value) const
{
    put(stdout, toJson(value));
}

void Output::text(const std::string& text) const
{
    if (!json)
        put(stdout, printableText(text));
}

void Output::note(const std::string& text) const
{
    put(stderr, printableText(text));
}

int Output::fail(const Error& error) const
{
    return fail(exitCodeOf(error), error.message);
}

int Output::fail(ExitCode code, const std::string& message) const
{
    return fail(code, message, Value());
}

int Output::fail(ExitCode code, const std::string& message, const Value& problems) const
{
    note("error: " + message);
    if (!json)
        return code;
    ValueMap all{ { "error", Value::map({ { "code", codeName(code) }, { "message", message } }) } };
    if (!problems.isNull())
        all.set("problems", problems);
    line(Value(std::move(all)));
    return code;
}

ExitCode exitCodeOf(const Error& error)
{
    switch (error.code) {
    case Errc::InvalidArgument:
    case Errc::NotFound:
    case Errc::Exists: return Usage;
    case Errc::Busy:
    case Errc::Conflict: return DatabaseBusy;
    case Errc::Unavailable: return NoSandbox;
    case Errc::Cancelled: return Stopped;
    case Errc::Unsupported:
    case Errc::Timeout:
    case Errc::LimitExceeded:
    case Errc::PermissionDenied:
    case Errc::NoSpace:
    case Errc::Corrupt:
    case Errc::Io: return Failed;
    }
    return Failed;
}

} // namespace sg::cli
