#pragma once

#include "core/base/result.h"

#include <string_view>

namespace sg::sandbox {

// A ByteStream that can pass descriptors to a process of this machine.
class DescriptorCarrier {
public:
    virtual ~DescriptorCarrier() = default;
    // Writes all of `bytes`; the first byte carries a duplicate of `descriptor`, which a plain read at the
    // other end would drop. Counts as a write of the stream.
    virtual Result<void> writeWith(std::string_view bytes, int descriptor) = 0;
};

} // namespace sg::sandbox
