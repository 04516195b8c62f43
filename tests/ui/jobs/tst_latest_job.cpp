#include "tests/support/test_main.h"
#include "ui/jobs/latest_job.h"

#include <QSemaphore>
#include <QTest>

#include <memory>

using namespace sg::ui;

class TestLatestJob : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theAnswerArrivesOnTheAskersThread()
    {
        QObject context;
        LatestJob job(&context);
        int answer = 0;
        QThread* workedOn = nullptr;
        QThread* appliedOn = nullptr;
        job.start(
            [&](const CancelFlag&) {
                workedOn = QThread::currentThread();
                return 42;
            },
            [&](int value) {
                appliedOn = QThread::currentThread();
                answer = value;
            });
        QTRY_COMPARE(answer, 42);
        QCOMPARE(appliedOn, QThread::currentThread());
        QVERIFY(workedOn != QThread::currentThread());
    }

    void onlyTheNewestAnswerArrives()
    {
        QObject context;
        LatestJob job(&context);
        QSemaphore gate;
        QStringList answers;
        std::atomic_bool sawCancel = false;
        job.start(
            [&](const CancelFlag& cancelled) {
                gate.acquire();
                sawCancel = cancelled->load();
                return QStringLiteral("old");
            },
            [&](const QString& answer) { answers << answer; });
        job.start([](const CancelFlag&) { return QStringLiteral("new"); },
                  [&](const QString& answer) { answers << answer; });
        gate.release();
        QTRY_COMPARE(answers, QStringList{ QStringLiteral("new") });
        QTRY_VERIFY(sawCancel);
        blockingPool().waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(answers.size(), 1);
    }

    void nothingArrivesAfterTheAskerIsGone()
    {
        auto context = std::make_unique<QObject>();
        auto job = std::make_unique<LatestJob>(context.get());
        QSemaphore gate;
        bool applied = false;
        const auto work = [&gate](const CancelFlag&) {
            gate.acquire();
            return std::make_unique<int>(1); // answers need not be copyable
        };
        job->start(work, [&applied](std::unique_ptr<int>) { applied = true; });
        job.reset();
        context.reset();
        gate.release();
        blockingPool().waitForDone();
        QCoreApplication::processEvents();
        QVERIFY(!applied);
    }
};

SG_CORE_TEST(TestLatestJob)
#include "tst_latest_job.moc"
