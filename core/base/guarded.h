#pragma once

#include <mutex>
#include <utility>

namespace sg {

// Holds a value that threads share and its mutex: only lock() gives access. Its result holds the mutex while
// it lives, so in `guarded.lock()->name = name` for the statement. Do not wait or lock anything meanwhile.
template<typename T>
class Guarded {
public:
    template<typename Kept>
    class Access {
    public:
        Access(std::mutex& mutex, Kept& value)
            : m_lock(mutex)
            , m_value(value)
        {
        }
        Kept* operator->() const { return &m_value; }

    private:
        const std::lock_guard<std::mutex> m_lock;
        Kept& m_value;
    };

    Guarded() = default;
    explicit Guarded(T value)
        : m_value(std::move(value))
    {
    }
    [[nodiscard]] Access<T> lock() { return { m_mutex, m_value }; }
    [[nodiscard]] Access<const T> lock() const { return { m_mutex, m_value }; }

private:
    mutable std::mutex m_mutex;
    T m_value{};
};

} // namespace sg
