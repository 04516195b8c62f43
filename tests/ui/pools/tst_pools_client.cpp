// The page's client on a real Redis: what it tells of pools and jobs, and how it steers them.

#include "core/base/value.h"
#include "core/workers/pools.h"
#include "core/workers/task_message.h"
#include "tests/support/machine.h"
#include "tests/support/redis_server.h"
#include "tests/support/window_test.h"
#include "ui/bridge/pools/pools_client.h"

#include <QSignalSpy>

using namespace sg;
using namespace sg::ui;
using namespace std::chrono_literals;

namespace {

// A client, and the answers that it gives. No project is open.
struct Asked {
    OpenProject project;
    PoolsClient client{ project };

    PoolsLook look()
    {
        QSignalSpy loaded(&client, &PoolsClient::loaded);
        client.load();
        return loaded.wait(20'000) ? loaded.front().front().value<PoolsLook>() : PoolsLook();
    }
    JobStoryRow story(const char* role, const char* job)
    {
        QSignalSpy loaded(&client, &PoolsClient::storyLoaded);
        client.loadStory(QLatin1String(role), QLatin1String(job));
        return loaded.wait(20'000) ? loaded.front().front().value<JobStoryRow>() : JobStoryRow();
    }
    QString change(const PoolChange& wish)
    {
        QSignalSpy changed(&client, &PoolsClient::changed);
        client.change(wish);
        return changed.wait(20'000) ? changed.front().at(1).value<UserError>().what
                                    : QStringLiteral("no answer");
    }
};

PoolChange changeOf(const char* role)
{
    PoolChange made;
    made.role = QLatin1String(role);
    return made;
}

// A job of a task whose node reads a page.
workers::NewJob taskJob(const char* id)
{
    workers::TaskMessage message;
    message.info.node = NodeId("fetch");
    message.info.thread = ThreadId("dora");
    message.info.step = 6;
    message.input = Value::map({ { "page", std::int64_t(418) } });
    workers::NewJob made;
    made.id = id;
    made.payload = "=" + workers::encode(message);
    return made;
}

} // namespace

class TestPoolsClient : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { SG_NEED("redis"); }
    void init()
    {
        test::failOnQtWarnings();
        qunsetenv("SANDGLASS_QUEUE");
        qunsetenv("SANDGLASS_QUEUE_NAMESPACE");
    }

    void asksNobodyWithoutAQueue()
    {
        Asked asked;
        const PoolsLook look = asked.look();
        QVERIFY(!look.isConfigured);
        QVERIFY(look.error.what.isEmpty());
        QVERIFY(!asked.change(changeOf("scrape")).isEmpty());
    }

    void tellsOfAndSteersPools()
    {
        const test::RedisServer server;
        workers::Redis redis(*workers::parseQueueAddress(server.address()));
        workers::RoleQueue queue(redis, { "default", "scrape" });
        QVERIFY(queue.announce());
        QVERIFY(queue.add({ taskJob("j-1"), taskJob("j-2") }));
        const workers::Lease lease{ "lab-2-4711-a1b2", 30s, 3 };
        QVERIFY(queue.presence(lease.consumer, 20s, { { "busy", "1" }, { "slots", "4" }, { "done", "7" } }));
        const auto taken = queue.take(lease, 1, {});
        QVERIFY(taken && taken->jobs.size() == 1);
        QVERIFY(queue.fail(taken->jobs.front(), { "429 from field-notes", "r", false, {} }, {}, 1));

        qputenv("SANDGLASS_QUEUE", QByteArray::fromStdString(server.address()));
        Asked asked;
        PoolsLook look = asked.look();
        QVERIFY2(look.error.what.isEmpty(), qPrintable(look.error.what));
        QCOMPARE(look.pools.size(), std::size_t(1));
        const PoolRow& pool = look.pools.front();
        QCOMPARE(pool.role, QStringLiteral("scrape"));
        QCOMPARE(pool.ready, qint64(1));
        QCOMPARE(pool.dead, qint64(1));
        QCOMPARE(pool.workers.size(), std::size_t(1));
        QCOMPARE(pool.workers.front().host, QStringLiteral("lab-2"));
        QCOMPARE(pool.slots, 4);
        QCOMPARE(look.persistence, QStringLiteral("kept in memory alone"));
        QVERIFY(look.latencyMs >= 0);
        QCOMPARE(look.dead.front().job, QStringLiteral("j-1"));
        QCOMPARE(look.dead.front().why, QStringLiteral("429 from field-notes"));

        const JobStoryRow story = asked.story("scrape", "j-1");
        QVERIFY(story.state == workers::JobState::Dead);
        QVERIFY2(story.payload.contains(QStringLiteral("\"fetch\""))
                     && story.payload.contains(QStringLiteral("418")),
                 qPrintable(story.payload));
        QVERIFY(story.lines.front().kind == workers::StoryLine::Kind::Added);
        QVERIFY(story.lines.back().kind == workers::StoryLine::Kind::Dead);
        QVERIFY(!asked.story("scrape", "none").error.what.isEmpty());

        PoolChange wish = changeOf("scrape");
        wish.paused = 1;
        wish.rate = 2.5;
        wish.atOnce = 3;
        wish.requeued = QStringList{ QStringLiteral("j-1") };
        QCOMPARE(asked.change(wish), QString());
        look = asked.look();
        QVERIFY(look.pools.front().isPaused);
        QCOMPARE(look.pools.front().rate, 2.5);
        QCOMPARE(look.pools.front().atOnce, 3);
        QCOMPARE(look.pools.front().ready, qint64(2));
        QVERIFY(look.dead.empty());
        // Somebody else was faster.
        wish = changeOf("scrape");
        wish.requeued = QStringList{ QStringLiteral("j-1") };
        QVERIFY(asked.change(wish).contains(QStringLiteral("no dead letter j-1")));
    }

    void showsNoPasswordWhereNobodyAnswers()
    {
        Asked asked;
        asked.client.setAddress(QStringLiteral("redis://worker:geheim@127.0.0.1:1/0"));
        const PoolsLook look = asked.look();
        QVERIFY(look.isConfigured);
        QVERIFY(!look.error.what.isEmpty());
        QVERIFY(!look.error.what.contains(QStringLiteral("geheim")));
        QVERIFY(!look.address.contains(QStringLiteral("geheim")));
        asked.client.setAddress(QStringLiteral("http://worker:geheim@elsewhere"));
        const PoolsLook wrong = asked.look();
        QVERIFY(!wrong.error.what.isEmpty());
        QVERIFY(!wrong.error.what.contains(QStringLiteral("geheim")));
    }
};

SG_WINDOW_TEST(TestPoolsClient)
#include "tst_pools_client.moc"
