#pragma once

namespace sg::bench {

// Eight sandboxes that are measured once a second, and the panel that shows them: what this process takes,
// and how old a sample is once it is painted.
void measureLiveSessions();

} // namespace sg::bench
