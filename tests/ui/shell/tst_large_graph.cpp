// A graph of 60 nodes in the whole window: what its overview shows after a run.

#include "tests/support/temp_dir.h"
#include "tests/support/window_test.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/run/run_bar.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/palette.h"

#include <QAction>
#include <QImage>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>

using namespace sg;
using namespace sg::ui;

namespace {

constexpr int kRows = 10;
constexpr int kColumns = 6;

// The items with commas between; '#' in the text becomes the number of each.
std::string listed(const QString& text, int from, int to)
{
    QStringList items;
    for (int i = from; i < to; ++i)
        items << QString(text)
                     .replace(QLatin1Char('#'), QString::number(i))
                     .replace(QLatin1Char('@'),
                              i < kRows ? QStringLiteral("__start__") : QStringLiteral("n%1").arg(i - kRows));
    return items.join(QLatin1String(", ")).toStdString();
}

// Ten chains of six nodes, each node with a channel of its own.
std::string tenChains()
{
    constexpr int kNodes = kRows * kColumns;
    return "{\"format\": 1, \"name\": \"g\", \"state\": {"
        + listed(QStringLiteral("\"v#\": {\"type\": \"last_value\"}"), 0, kNodes) + "}, \"nodes\": ["
        + listed(QStringLiteral("{\"name\": \"n#\", \"kind\": \"jq\", \"jq\": \"{v#: 1}\"}"), 0, kNodes)
        + "], \"edges\": [" + listed(QStringLiteral("[\"@\", \"n#\"]"), 0, kNodes) + ", "
        + listed(QStringLiteral("[\"n#\", \"__end__\"]"), kNodes - kRows, kNodes) + "]}";
}

} // namespace

class TestLargeGraph : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
        QCoreApplication::setApplicationName(QStringLiteral("large-graph"));
        QSettings().clear();
    }

    void cleanupTestCase() { MainWindow::setTheme(QStringLiteral("light")); }

    void theOverviewShowsWhatAFinishedRunDid()
    {
        test::TempDir folder;
        folder.write("g.graph.json", tenChains());
        MainWindow window;
        window.resize(1600, 1000);
        window.show();
        QSignalSpy ready(&window, &MainWindow::ready);
        window.openProject(QString::fromStdString((folder / "g.graph.json").string()));
        QTRY_VERIFY(!ready.isEmpty());
        GraphView& view = window.findChild<CanvasPanel*>()->view();
        view.setZoom(0.3); // before the run: nothing else makes it paint anew than what the run does
        view.centerOn(view.scene()->itemsBoundingRect().center());
        QTRY_COMPARE(withColour(window, &Tokens::done), 0);
        QSignalSpy finished(&window.clients().runs, &RunsClient::runFinished);
        const QAction* run = window.findChild<RunBar*>()->runAction();
        QTRY_VERIFY(run->isEnabled());
        window.findChild<RunBar*>()->runAction()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), 60'000);
        QTRY_COMPARE(withColour(window, &Tokens::done), kRows * kColumns);
        QCOMPARE(view.zoom(), 0.3);
        MainWindow::setTheme(QStringLiteral("dark"));
        QTRY_COMPARE(withColour(window, &Tokens::done), kRows * kColumns);
    }

private:
    // Nodes whose boxes hold that colour in a picture of the whole window.
    static int withColour(MainWindow& window, Token token)
    {
        GraphView& view = window.findChild<CanvasPanel*>()->view();
        const QImage picture = window.grab().toImage();
        const QRgb wanted = color(token).rgb();
        int count = 0;
        for (const NodeItem* node : view.graphScene().nodes()) {
            if (node->node().kind != DrawnNode::Kind::Card)
                continue;
            const QRect inView = view.mapFromScene(node->card()).boundingRect();
            const QRect box(view.viewport()->mapTo(&window, inView.topLeft()), inView.size());
            bool isFound = false;
            for (int y = box.top(); y <= box.bottom() && !isFound; ++y)
                for (int x = box.left(); x <= box.right() && !isFound; ++x)
                    isFound = picture.rect().contains(x, y) && picture.pixel(x, y) == wanted;
            count += isFound ? 1 : 0;
        }
        return count;
    }
};

SG_WINDOW_TEST(TestLargeGraph)
#include "tst_large_graph.moc"
