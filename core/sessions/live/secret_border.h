#pragma once

#include "core/base/redaction.h"
#include "core/sessions/session.h"

namespace sg::sessions {

// SecretBorder removes secrets from what leaves a session: what its code prints, shows, streams, asks for,
// returns and fails with. One object serves one cell or call; one thread.
class SecretBorder {
public:
    explicit SecretBorder(const CellHandlers& inner); // `inner` outlives this

    [[nodiscard]] const CellHandlers& handlers() const { return m_handlers; }
    // Releases output that was held back, and cleans the result.
    void finish(CellResult& result);

private:
    SecretFilter& filterOf(CellOutput::Stream stream);
    void flush(CellOutput::Stream stream);

    const CellHandlers& m_inner;
    CellHandlers m_handlers;
    SecretFilter m_stdout;
    SecretFilter m_stderr;
    SecretFilter m_events;
};

} // namespace sg::sessions
