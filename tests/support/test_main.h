#pragma once

#include <QCoreApplication>
#include <QTest>

// A folder's tests share one executable. Each source ends with one of these macros instead of a main(); ctest
// starts the executable once for each test, with the source's name first: `tests_core_base tst_uuid
// [function…]`.
//   SG_TEST(Class)        without an application object
//   SG_CORE_TEST(Class)   with a QCoreApplication: timers, queued calls
//   SG_WINDOW_TEST(Class) with a QApplication (tests/support/window_test.h)
namespace sg::test {

using RunTest = int (*)(int argc, char** argv);

// Static objects of this type register their test before main() begins, under the source's name without
// folder and ending.
class RegisteredTest {
public:
    RegisteredTest(const char* source, RunTest run);
};

} // namespace sg::test

#define SG_REGISTERED_TEST(Class, ...)                                                                       \
    namespace {                                                                                              \
    const sg::test::RegisteredTest registered##Class(__FILE__, [](int argc, char** argv) {                   \
        __VA_ARGS__                                                                                          \
        QTEST_SET_MAIN_SOURCE_PATH                                                                           \
        Class test;                                                                                          \
        return QTest::qExec(&test, argc, argv);                                                              \
    });                                                                                                      \
    }

#define SG_TEST(Class) SG_REGISTERED_TEST(Class)
#define SG_CORE_TEST(Class) SG_REGISTERED_TEST(Class, const QCoreApplication application(argc, argv);)
