#pragma once

// For programs: viewSessionFolder(), what the folder of a BIND session shows.
#include "core/sessions/session_folder_view.h" // IWYU pragma: export
