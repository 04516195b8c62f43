#pragma once

// For programs: the layers of Python requirements on this machine.
#include "core/layers/requirement_layers.h" // IWYU pragma: export
