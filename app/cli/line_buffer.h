#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace sg::cli {

// LineBuffer makes whole lines of pieces of output, so that the output of several tasks does not mix within a
// line and no character is cut in two. A line without an end is shown at 8 KiB.
class LineBuffer {
public:
    using Show = std::function<void(const std::string& line)>;

    void add(std::string_view bytes, const Show& show)
    {
        m_rest += bytes;
        std::size_t start = 0;
        for (std::size_t end = 0; (end = m_rest.find('\n', start)) != std::string::npos; start = end + 1)
            show(m_rest.substr(start, end - start));
        m_rest.erase(0, start);
        if (m_rest.size() > kLongest)
            end(show);
    }
    void end(const Show& show)
    {
        if (!m_rest.empty())
            show(m_rest);
        m_rest.clear();
    }

private:
    static constexpr std::size_t kLongest = 8192;
    std::string m_rest;
};

} // namespace sg::cli
