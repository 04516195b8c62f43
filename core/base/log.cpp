#include "core/base/log.h"

#include "core/base/printable.h"
#include "core/base/redaction.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace sg {
namespace {

using Sink = std::function<void(LogLevel, const std::string&)>;

void writeToStderr(LogLevel level, const std::string& text)
{
    static spdlog::logger logger = [] {
        spdlog::logger made("sandglass", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        made.set_pattern("%Y-%m-%dT%H:%M:%S.%e %l: %v");
        made.set_level(spdlog::level::warn);
        made.flush_on(spdlog::level::warn);
        return made;
    }();
    const auto spdlogLevel = [&] {
        switch (level) {
        case LogLevel::Debug: return spdlog::level::debug;
        case LogLevel::Info: return spdlog::level::info;
        case LogLevel::Warning: return spdlog::level::warn;
        case LogLevel::Error: return spdlog::level::err;
        }
        return spdlog::level::err;
    }();
    logger.log(spdlogLevel, std::string_view(printableText(text)));
}

Sink& currentSink()
{
    static Sink sink = writeToStderr;
    return sink;
}

} // namespace

void logMessage(LogLevel level, const std::string& text)
{
    currentSink()(level, withoutLikelySecrets(text));
}

void setLogSink(std::function<void(LogLevel, const std::string&)> sink)
{
    currentSink() = sink ? std::move(sink) : Sink(writeToStderr);
}

} // namespace sg
