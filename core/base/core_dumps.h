#pragma once

namespace sg {

// This process knows secrets: where it crashes no core file is written, and other programs of this user can
// neither attach to it nor read its memory and environment. SANDGLASS_CORE_DUMPS=1 leaves all that as it was,
// for who looks for a fault. Programs that are started from here have no core files either, and may be
// attached to. At the start of main().
void refuseCoreDumps();

} // namespace sg
