#include "core/engine/tasks/answers.h"

namespace sg::engine {

std::optional<Value> SingleAnswer::take()
{
    const std::lock_guard lock(m_mutex);
    if (m_taken)
        return std::nullopt;
    m_taken = true;
    m_dropped = !m_settled;
    return m_value;
}

std::optional<Value> SingleAnswer::peek() const
{
    const std::lock_guard lock(m_mutex);
    return m_taken ? std::nullopt : std::optional(m_value);
}

void SingleAnswer::settle()
{
    const std::lock_guard lock(m_mutex);
    m_settled = true;
}

bool SingleAnswer::isDropped() const
{
    const std::lock_guard lock(m_mutex);
    return m_dropped;
}

std::optional<Answers::Given> Answers::next()
{
    const std::size_t call = m_calls++;
    if (call < m_given.size())
        return Given{ m_given[call],
                      ValueList(m_given.begin(), m_given.begin() + static_cast<long>(call) + 1) };
    auto single = takeSingle();
    if (!single || single->isNull())
        return std::nullopt;
    m_given.push_back(*single);
    return Given{ *std::move(single), m_given };
}

ValueList Answers::ahead() const
{
    ValueList out(m_given.begin() + static_cast<long>(std::min(m_calls, m_given.size())), m_given.end());
    if (auto single = peekSingle())
        out.push_back(*std::move(single));
    return out;
}

std::optional<Value> Answers::takeSingle()
{
    if (m_single)
        return m_single->take();
    return m_parent != nullptr ? m_parent->takeSingle() : std::nullopt;
}

std::optional<Value> Answers::peekSingle() const
{
    if (m_single)
        return m_single->peek();
    return m_parent != nullptr ? m_parent->peekSingle() : std::nullopt;
}

} // namespace sg::engine
