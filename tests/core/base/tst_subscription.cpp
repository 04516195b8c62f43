#include "core/base/subscription.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <atomic>
#include <optional>
#include <thread>

using sg::Publisher;
using sg::Subscription;

class TestSubscription : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void publishesToAllInOrder();
    void endsWithItsSubscription();
    void mayEndInsideACall();
    void maySubscribeInsideACall();
    void outlivesItsPublisher();
    void comesAndGoesWhileOthersPublish();
};

void TestSubscription::publishesToAllInOrder()
{
    Publisher<std::string> publisher;
    std::string seen;
    const Subscription first = publisher.subscribe([&](const std::string& text) { seen += "1" + text; });
    const Subscription second = publisher.subscribe([&](const std::string& text) { seen += "2" + text; });
    publisher.publish("a");
    publisher.publish("b");
    QCOMPARE(seen, std::string("1a2a1b2b"));
}

void TestSubscription::endsWithItsSubscription()
{
    Publisher<int> publisher;
    int sum = 0;
    {
        const Subscription subscription = publisher.subscribe([&](int number) { sum += number; });
        publisher.publish(1);
    }
    publisher.publish(10);
    QCOMPARE(sum, 1);
}

void TestSubscription::mayEndInsideACall()
{
    Publisher<> publisher;
    int calls = 0;
    std::optional<Subscription> subscription;
    subscription = publisher.subscribe([&] {
        ++calls;
        subscription.reset();
    });
    publisher.publish();
    publisher.publish();
    QCOMPARE(calls, 1);
}

void TestSubscription::maySubscribeInsideACall()
{
    Publisher<> publisher;
    int calls = 0;
    std::vector<Subscription> subscriptions;
    subscriptions.push_back(publisher.subscribe([&] {
        if (subscriptions.size() == 1)
            subscriptions.push_back(publisher.subscribe([&] { ++calls; }));
    }));
    publisher.publish();
    QCOMPARE(calls, 0);
    publisher.publish();
    QCOMPARE(calls, 1);
}

void TestSubscription::outlivesItsPublisher()
{
    Subscription subscription;
    {
        Publisher<> publisher;
        subscription = publisher.subscribe([] {});
    }
    subscription = Subscription();
}

void TestSubscription::comesAndGoesWhileOthersPublish()
{
    Publisher<int> publisher;
    std::atomic<int> received{ 0 };
    std::atomic<bool> done{ false };
    const Subscription steady = publisher.subscribe([&](int) { ++received; });
    std::thread other([&] {
        while (!done)
            const Subscription brief = publisher.subscribe([&](int number) { received += number; });
    });
    for (int i = 0; i < 2000; ++i)
        publisher.publish(0);
    done = true;
    other.join();
    QCOMPARE(received.load(), 2000);
}

SG_TEST(TestSubscription)
#include "tst_subscription.moc"
