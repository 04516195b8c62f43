#include "core/base/guarded.h"
#include "tests/support/test_main.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

using sg::Guarded;

class TestGuarded : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneAtATime()
    {
        struct Sums {
            std::int64_t one = 0;
            std::int64_t two = 0;
        };
        Guarded<Sums> sums;
        std::atomic<bool> wereEqual = true;
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < 4; ++i)
                threads.emplace_back([&] {
                    for (int j = 0; j < 10'000; ++j) {
                        const auto held = sums.lock();
                        wereEqual = wereEqual && held->one == held->two;
                        ++held->one;
                        ++held->two;
                    }
                });
        }
        QVERIFY(wereEqual);
        QCOMPARE(sums.lock()->one, std::int64_t(40'000));
    }

    void givesAwayWhatItHolds()
    {
        struct Box {
            std::unique_ptr<int> number;
        };
        Guarded<Box> box(Box{ std::make_unique<int>(5) });
        const Guarded<Box>& shown = box;
        QCOMPARE(*shown.lock()->number, 5);
        const std::unique_ptr<int> taken = std::move(box.lock()->number);
        QCOMPARE(*taken, 5);
        QVERIFY(box.lock()->number == nullptr);
    }
};

SG_TEST(TestGuarded)
#include "tst_guarded.moc"
