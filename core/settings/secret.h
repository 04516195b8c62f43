#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sg::settings {

inline constexpr std::size_t kLongestSecret = 16384;

// A letter, then letters, digits, "_" and "-", at most 64: also a file's name and a variable's.
bool isSecretName(std::string_view name);

// One secret. Kept out of all output (redaction.h) from its making on; its bytes are wiped with it. There is
// no way to print it or to make JSON of it.
class Secret {
public:
    Secret(std::string name, std::string bytes);
    Secret(Secret&& other) noexcept;
    Secret& operator=(Secret&&) = delete;
    ~Secret();

    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] const std::string& reveal() const { return m_bytes; } // to whom it is meant for

private:
    std::string m_name;
    std::string m_bytes;
};

} // namespace sg::settings
