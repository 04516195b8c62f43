// planted_fault FAULT: does on purpose what a sanitizer must see. test_sanitizers.py starts it with each
// fault.
#include <QTest>

#include <cstdio>
#include <limits>
#include <string_view>
#include <thread>

namespace {

// The race stands in a test function, beneath Qt's frames, because a suppression could hide it there alone.
class Racer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsTwice()
    {
        std::thread other([this] { ++m_count; });
        ++m_count;
        other.join();
        QVERIFY(m_count > 0);
    }

private:
    int m_count = 0;
};

int overflow(int number)
{
    return std::numeric_limits<int>::max() + number;
}

int useAfterFree()
{
    const auto* const number = new int(1);
    delete number;
    return *number; // NOLINT(clang-analyzer-cplusplus.NewDelete): that is the fault
}

// The stack may still hold the address when the program ends, so it is given up in a call of its own.
void leak()
{
    static int* kept = new int[1000];
    std::printf("%p\n", static_cast<void*>(kept));
    kept = nullptr;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view fault = argc > 1 ? argv[1] : "";
    if (fault == "race") {
        Racer racer;
        return QTest::qExec(&racer, 1, argv);
    }
    if (fault == "overflow")
        std::printf("%d\n", overflow(argc));
    else if (fault == "use after free")
        std::printf("%d\n", useAfterFree());
    else if (fault == "leak")
        leak();
    else
        return 3;
    return 0;
}

#include "planted_fault.moc"
