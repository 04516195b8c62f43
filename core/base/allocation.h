#pragma once

namespace sg {

// Lets the allocator keep freed memory, up to 8 MiB at its end, and reuse it for buffers below 32 MiB. A
// state that grows with each superstep is written at its whole size each time; by default the allocator gets
// such a buffer's pages from the kernel and returns them each time, which takes a fifth of the processor time
// at 250 KB. This is for programs that run one workflow, not for the window, which lives for days. It affects
// the whole process and is called first in main(). It does nothing if the C library is not glibc.
void keepFreedMemory();

} // namespace sg
