#include "core/sessions/live/secret_border.h"

#include <utility>

namespace sg::sessions {

SecretBorder::SecretBorder(const CellHandlers& inner)
    : m_inner(inner)
{
    if (inner.output)
        m_handlers.output = [this](const CellOutput& output) {
            std::string clean = filterOf(output.stream).push(output.bytes);
            if (!clean.empty())
                m_inner.output({ output.stream, std::move(clean) });
        };
    if (inner.custom)
        m_handlers.custom = [this](const Value& value) { m_inner.custom(valueWithoutSecrets(value)); };
    if (inner.ask)
        m_handlers.ask = [this](const std::string& kind, const Value& request) {
            return m_inner.ask(kind, valueWithoutSecrets(request));
        };
    if (inner.display)
        m_handlers.display = [this](const Value& shown) {
            flush(CellOutput::Stream::Stdout); // so that output and display stay in order
            m_inner.display(valueWithoutSecrets(shown));
        };
}

SecretFilter& SecretBorder::filterOf(CellOutput::Stream stream)
{
    switch (stream) {
    case CellOutput::Stream::Stdout: return m_stdout;
    case CellOutput::Stream::Stderr: return m_stderr;
    case CellOutput::Stream::Event: break;
    }
    return m_events;
}

void SecretBorder::flush(CellOutput::Stream stream)
{
    std::string rest = filterOf(stream).finish();
    if (!rest.empty() && m_inner.output)
        m_inner.output({ stream, std::move(rest) });
}

void SecretBorder::finish(CellResult& result)
{
    for (const auto stream :
         { CellOutput::Stream::Stdout, CellOutput::Stream::Stderr, CellOutput::Stream::Event })
        flush(stream);
    result.value = valueWithoutSecrets(result.value);
    result.interruptValue = valueWithoutSecrets(result.interruptValue);
    if (result.error) {
        for (std::string* text :
             { &result.error->type, &result.error->message, &result.error->traceback, &result.error->repr })
            *text = withoutSecrets(*text);
        result.error->raised = valueWithoutSecrets(result.error->raised);
    }
    for (Value& shown : result.displays)
        shown = valueWithoutSecrets(shown);
    for (std::string& warning : result.warnings)
        warning = withoutSecrets(warning);
    if (result.storeFailure)
        *result.storeFailure = withoutSecrets(*result.storeFailure);
    if (result.lostFile)
        *result.lostFile = withoutSecrets(*result.lostFile);
}

} // namespace sg::sessions
