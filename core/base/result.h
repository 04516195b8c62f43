#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sg {

// These are the errors that callers branch on; everything else belongs in the message.
enum class Errc {
    InvalidArgument,
    NotFound,
    Exists,
    Conflict,
    Unavailable,
    Unsupported,
    Busy, // held by another program; trying again later may help
    Timeout,
    Cancelled,
    LimitExceeded,
    PermissionDenied,
    NoSpace,
    Corrupt,
    Io,
};

struct Error {
    Errc code;
    std::string message;

    // Each layer puts what it was doing first: "open run.db: disk I/O error".
    [[nodiscard]] Error during(std::string doing) && { return { code, std::move(doing) + ": " + message }; }
    friend bool operator==(const Error&, const Error&) = default;
};

template<typename T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    explicit operator bool() const { return m_state.index() == 0; }
    T& operator*() & { return value(); }
    const T& operator*() const& { return const_cast<Result*>(this)->value(); }
    T&& operator*() && { return std::move(value()); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &const_cast<Result*>(this)->value(); }
    Error& error()
    {
        assert(!*this);
        return *std::get_if<1>(&m_state);
    }
    [[nodiscard]] const Error& error() const { return const_cast<Result*>(this)->error(); }

private:
    T& value()
    {
        assert(*this);
        return *std::get_if<0>(&m_state);
    }
    std::variant<T, Error> m_state;
};

template<>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
    {
    }
    explicit operator bool() const { return !m_error; }
    Error& error()
    {
        assert(m_error);
        return *m_error;
    }
    [[nodiscard]] const Error& error() const { return const_cast<Result*>(this)->error(); }

private:
    std::optional<Error> m_error;
};

} // namespace sg
