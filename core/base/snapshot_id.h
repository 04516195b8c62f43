#pragma once

#include "core/base/ids.h"

namespace sg {

using SnapshotId = Id<struct SnapshotTag>; // a session's interpreter and files at one moment

} // namespace sg
