#include "core/engine/state/versions.h"

#include "core/engine/errors/python_text.h"

#include <array>
#include <charconv>

namespace sg::engine {

Version readVersion(const Value& stored)
{
    if (stored.isInt())
        return { stored.asInt(), stored };
    if (!stored.isString())
        return {};
    const std::string& text = stored.asString();
    const std::size_t digits = text.find_first_not_of('0');
    Version version{ 0, stored };
    if (digits != std::string::npos)
        std::from_chars(text.data() + digits, text.data() + text.size(), version.number);
    return version;
}

Version VersionSource::after(std::int64_t number) const
{
    Version next{ number + 1, {} };
    if (m_random == nullptr)
        return next;
    constexpr double unit = 1.0 / 9007199254740992.0; // 2^-53, as in Python's random()
    const double fraction = static_cast<double>(m_random->next() >> 11) * unit;
    constexpr std::size_t numberSize = 32;
    constexpr std::size_t fractionSize = 16;
    std::array<char, 24> digits{};
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), next.number).ptr;
    const auto count = static_cast<std::size_t>(end - digits.data());
    const std::string tail = pythonFloat(fraction);
    std::string text;
    text.reserve(numberSize + 1 + fractionSize + 8);
    text.append(numberSize - count, '0').append(digits.data(), count).append(1, '.');
    if (tail.size() < fractionSize)
        text.append(fractionSize - tail.size(), '0');
    next.text = Value(std::move(text += tail));
    return next;
}

} // namespace sg::engine
