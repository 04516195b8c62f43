#pragma once

#include "core/base/value.h"

#include <string>
#include <vector>

namespace sg::conformance {

// A name or a list of names; none where it is neither.
inline std::vector<std::string> namesIn(const Value& list)
{
    std::vector<std::string> out;
    if (list.isString())
        out.push_back(list.asString());
    else if (list.isList())
        for (const Value& item : list.asList())
            out.push_back(item.asString());
    return out;
}

} // namespace sg::conformance
