#pragma once

#include "core/base/result.h"
#include "core/sqlite/statement.h"

#include <type_traits>
#include <utility>

namespace sg::sqlite {

// Steps through all rows of a statement and calls `take` for each, which returns nothing or a Result<void>,
// whose error ends it.
template<typename Take>
Result<void> eachRow(Statement& statement, const Take& take)
{
    while (true) {
        const auto row = statement.step();
        if (!row)
            return row.error();
        if (!*row)
            return {};
        if constexpr (std::is_void_v<std::invoke_result_t<const Take&>>)
            take();
        else if (auto taken = take(); !taken)
            return std::move(taken.error());
    }
}

} // namespace sg::sqlite
