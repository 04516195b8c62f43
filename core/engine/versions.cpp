#include "core/engine/versions.h"

#include "core/engine/python_text.h"

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
    constexpr double unit = 1.0 / 9007199254740992.0; // 2^-53: Python's random()
    const double fraction = static_cast<double>(m_random->next() >> 11) * unit;
    std::string digits = std::to_string(next.number);
    std::string tail = pythonFloat(fraction);
    if (digits.size() < 32)
        digits.insert(0, 32 - digits.size(), '0');
    if (tail.size() < 16)
        tail.insert(0, 16 - tail.size(), '0');
    next.text = Value(digits + '.' + tail);
    return next;
}

} // namespace sg::engine
