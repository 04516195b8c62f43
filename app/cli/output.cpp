#include "app/cli/output.h"

#include "app/cli/standard_streams.h"
#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/base/redaction.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

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

// East Asian wide characters and emoji take two columns, combining marks none.
std::size_t columnsOfCharacter(std::uint32_t code)
{
    if ((code >= 0x300 && code <= 0x36F) || code == 0x200B || code == 0x200D
        || (code >= 0xFE00 && code <= 0xFE0F))
        return 0;
    const bool isWide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF)
        || (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF)
        || (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60)
        || (code >= 0xFFE0 && code <= 0xFFE6) || (code >= 0x1F300 && code <= 0x1FAFF)
        || (code >= 0x20000 && code <= 0x3FFFD);
    return isWide ? 2 : 1;
}

} // namespace

void Output::document(const Value& value) const
{
    printLine(stdout, toJson(valueWithoutSecrets(value), JsonStyle::Indented));
}

void Output::line(const Value& value) const
{
    printLine(stdout, toJson(valueWithoutSecrets(value)));
}

void Output::text(const std::string& text) const
{
    if (!json)
        printLine(stdout, printableText(withoutSecrets(text)));
}

void Output::note(const std::string& text) const
{
    printLine(stderr, printableText(withoutLikelySecrets(completes ? completes(text) : text)));
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
    ValueMap all{ { "error",
                    Value::map({ { "code", codeName(code) },
                                 { "message", completes ? completes(message) : message } }) } };
    if (!problems.isNull())
        all.set("problems", problems);
    line(Value(std::move(all)));
    return code;
}

std::string counted(std::int64_t number, const std::string& noun)
{
    return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::size_t columnsOf(std::string_view text)
{
    std::size_t columns = 0;
    while (!text.empty()) {
        const Utf8Char next = firstUtf8Char(text);
        columns += columnsOfCharacter(next.code);
        text.remove_prefix(std::max<std::size_t>(next.length, 1));
    }
    return columns;
}

std::string padded(std::string text, std::size_t width)
{
    const std::size_t taken = columnsOf(text);
    if (taken < width)
        text.append(width - taken, ' ');
    return text;
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
