#pragma once

namespace sg {

// Lets the allocator keep freed memory, up to 8 MiB at its end, and take buffers below 32 MiB from what it
// keeps. A state that grows with each superstep is written at its whole size each time; left alone, the
// allocator gets such a buffer's pages from the kernel and gives them back again each time, which is a fifth
// of the processor time at 250 KB. For programs that run one workflow and end, not for the window, which
// lives for days. Of the whole process: first thing in main(), before other threads. Does nothing where the
// C library is not glibc.
void keepFreedMemory();

} // namespace sg
