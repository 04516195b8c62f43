#pragma once

#include "tests/support/wait_for.h"

#include <QDeadlineTimer>
#include <QTest>

#include <utility>

// QTest's own QTRY_* macros look at an expression again after it has held, so that one which asks, sends or
// takes something fails when its second answer differs; and they give up after 5 s, which a busy machine can
// need. These look no more once it has held, and have the patience of waitFor().
namespace sg::test {

inline constexpr int kPatienceMs = static_cast<int>(kPatience.count()); // for QTest::qWaitFor() and its like

// The times at which a QTRY_* macro looks: at once, then whenever events were handled, until `patience` is
// over. The look after that is the last one.
class Looks {
public:
    explicit Looks(std::chrono::milliseconds patience)
        : m_end(patience)
    {
    }

    [[nodiscard]] bool isLast() const { return m_isOver || QTest::currentTestFailed(); }
    void next()
    {
        m_isOver = m_end.hasExpired();
        QTest::qWait(std::exchange(m_pauseMs, 10));
    }

private:
    const QDeadlineTimer m_end;
    bool m_isOver = false;
    int m_pauseMs = 0;
};

} // namespace sg::test

#undef QTRY_VERIFY
#undef QTRY_VERIFY_WITH_TIMEOUT
#undef QTRY_VERIFY2
#undef QTRY_VERIFY2_WITH_TIMEOUT
#undef QTRY_COMPARE
#undef QTRY_COMPARE_WITH_TIMEOUT

// `timeout` is a number of milliseconds. These leave a function that returns void.
#define QTRY_VERIFY2_WITH_TIMEOUT(expression, message, timeout)                                              \
    do {                                                                                                     \
        bool sgHolds = false;                                                                                \
        for (sg::test::Looks sgLooks{ std::chrono::milliseconds(timeout) };; sgLooks.next())                 \
            if ((sgHolds = static_cast<bool>(expression)) || sgLooks.isLast())                               \
                break;                                                                                       \
        if (!QTest::qVerify(sgHolds, #expression, sgHolds ? "" : (message), __FILE__, __LINE__))             \
            return;                                                                                          \
    } while (false)
#define QTRY_VERIFY2(expression, message)                                                                    \
    QTRY_VERIFY2_WITH_TIMEOUT(expression, message, sg::test::kPatience.count())
#define QTRY_VERIFY_WITH_TIMEOUT(expression, timeout) QTRY_VERIFY2_WITH_TIMEOUT(expression, "", timeout)
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, sg::test::kPatience.count())

#define QTRY_COMPARE_WITH_TIMEOUT(actual, expected, timeout)                                                 \
    do {                                                                                                     \
        for (sg::test::Looks sgLooks{ std::chrono::milliseconds(timeout) };; sgLooks.next()) {               \
            const auto& sgActual = (actual);                                                                 \
            const auto& sgExpected = (expected);                                                             \
            if (sgActual != sgExpected && !sgLooks.isLast())                                                 \
                continue;                                                                                    \
            if (!QTest::qCompare(sgActual, sgExpected, #actual, #expected, __FILE__, __LINE__))              \
                return;                                                                                      \
            break;                                                                                           \
        }                                                                                                    \
    } while (false)
#define QTRY_COMPARE(actual, expected)                                                                       \
    QTRY_COMPARE_WITH_TIMEOUT(actual, expected, sg::test::kPatience.count())
