#pragma once

namespace sg {

// This process knows secrets, so its crash leaves no core file, and other programs of this user can neither
// attach to it nor read its memory and environment. SANDGLASS_CORE_DUMPS=1 leaves the defaults, for
// debugging. Programs started from here have no core files either, but may be attached to. Called first in
// main().
void refuseCoreDumps();

} // namespace sg
