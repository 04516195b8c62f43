#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sg::settings {

inline constexpr std::size_t kLongestSecret = 16384;

// A letter, then letters, digits, "_" and "-", at most 64, so that it can also name a file and a variable.
bool isSecretName(std::string_view name);

// One secret. It is kept out of all output (redaction.h) from its construction on, and its bytes are wiped at
// its end. It cannot be printed or turned into JSON.
class Secret {
public:
    Secret(std::string name, std::string bytes);
    Secret(Secret&& other) noexcept;
    Secret& operator=(Secret&&) = delete;
    ~Secret();

    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] const std::string& reveal() const { return m_bytes; } // for its recipient only

private:
    std::string m_name;
    std::string m_bytes;
};

} // namespace sg::settings
