#pragma once

// A session that lives, and what it can be asked beside its cells: for a prompt and an inspector.
#include "core/sessions/introspection.h" // IWYU pragma: export
#include "core/sessions/session.h" // IWYU pragma: export
#include "core/sessions/session_terminal.h" // IWYU pragma: export
