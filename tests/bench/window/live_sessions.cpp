#include "tests/bench/window/live_sessions.h"

#include "tests/bench/figure_lines.h"
#include "ui/bridge/clients.h"
#include "ui/sessions/meters_view.h"
#include "ui/sessions/session_panel.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <set>
#include <utility>

namespace sg::bench {
namespace {

using namespace ui;

constexpr int kSessions = 8;
constexpr int kSeconds = 30;

double processorSeconds()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Remembers how old the newest sample was each time the meters were painted with a new one.
class PaintClock : public QObject {
public:
    explicit PaintClock(QWidget& meters) { meters.installEventFilter(this); }
    void come(double timeMs) { m_newest = timeMs; }
    std::vector<double> ages;

private:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint && m_newest > 0)
            ages.push_back(static_cast<double>(QDateTime::currentMSecsSinceEpoch())
                           - std::exchange(m_newest, 0));
        return QObject::eventFilter(watched, event);
    }
    double m_newest = 0;
};

QByteArray emptyGraph()
{
    return R"({"format":1,"name":"t","state":{},"nodes":[],"edges":[]})";
}

} // namespace

void measureLiveSessions()
{
    const std::string ids = "window.panels.sessions";
    const QTemporaryDir folder;
    QFile graph(folder.filePath(QStringLiteral("t.graph.json")));
    static_cast<void>(graph.open(QIODevice::WriteOnly));
    graph.write(emptyGraph());
    graph.close();
    Clients clients;
    SessionPanel panel;
    panel.resize(1000, 600);
    panel.show();
    PaintClock clock(*panel.findChild<MetersView*>());
    std::set<QString> sampled;
    QString shown; // session of the first thread
    QObject::connect(&clients.sessions, &SessionsClient::sessionsChanged, &panel,
                     [&](const std::vector<SessionRow>& sessions) {
                         for (const SessionRow& row : sessions)
                             if (row.thread == QLatin1String("thread0"))
                                 shown = row.session;
                         panel.setSessions(sessions);
                     });
    QObject::connect(&clients.sessions, &SessionsClient::samplesAdded, &panel,
                     [&](const QString& session, const std::vector<SampleRow>& samples) {
                         sampled.insert(session);
                         if (session == shown)
                             clock.come(samples.back().timeMs);
                         panel.addSamples(session, samples);
                     });
    QSignalSpy opened(&clients.project, &OpenProject::opened);
    QSignalSpy ended(&clients.sessions, &SessionsClient::cellEnded);
    clients.project.open(folder.path());
    if (!opened.wait(20'000)) {
        printFailed(ids, "the project did not open");
        return;
    }
    for (int i = 0; i < kSessions; ++i) {
        clients.sessions.runCell(QStringLiteral("thread%1").arg(i), QStringLiteral("1"));
        if (!ended.wait(60'000))
            break;
    }
    static_cast<void>(QTest::qWaitFor([&] { return sampled.size() >= kSessions; }, 10'000));
    if (sampled.size() < kSessions) {
        printNotMeasured(ids, "no eight sandboxes run here");
        return;
    }
    panel.setThread(QStringLiteral("thread0"));
    clock.ages.clear();
    const double before = processorSeconds();
    QElapsedTimer time;
    time.start();
    QTest::qWait(kSeconds * 1000);
    const double used = (processorSeconds() - before) / (static_cast<double>(time.elapsed()) / 1000);
    printFigure(ids + ".processor", used * 100, "%");
    printFigure(ids + ".sample_age", quantile(clock.ages, 0.95));
}

} // namespace sg::bench
