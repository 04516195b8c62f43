#pragma once

#include "core/base/word.h"

#include <array>
#include <string_view>
#include <utility>

namespace sg::checkpoint {

// The origin of a checkpoint, as its metadata says in LangGraph's words.
enum class Source { Input, Loop, Update, Fork };
constexpr auto namesOf(Source)
{
    return std::to_array<std::pair<Source, std::string_view>>({
        { Source::Input, "input" },
        { Source::Loop, "loop" },
        { Source::Update, "update" },
        { Source::Fork, "fork" },
    });
}

} // namespace sg::checkpoint
