// Threads as files in the window: what is dropped on it is imported, and shown once it is listed.

#include "core/upkeep/thread_bundle.h"
#include "tests/support/example_project.h"
#include "tests/support/window_test.h"
#include "ui/run/run_bar.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/banner.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QInputDialog>
#include <QMimeData>
#include <QSignalSpy>
#include <QStandardPaths>

using namespace sg;
using namespace sg::ui;

namespace {

const ThreadId kMain("main");

// A thread of a project that is gone, as a file.
QString bundleIn(const test::TempDir& folder)
{
    test::ExampleProject project(test::oneNodeGraph("{value: 1}"));
    project.run(kMain, Value::map({ { "value", 0 } }));
    const auto file = folder / "main.sandglass.zip";
    const auto report = upkeep::exportThread(project->parts(), { kMain, file, false });
    return report && report->isWritten ? QString::fromStdString(file.string()) : QString();
}

void drop(QWidget& window, const QString& file)
{
    QMimeData data;
    data.setUrls({ QUrl::fromLocalFile(file) });
    QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter); // else the other goes nowhere
    QDropEvent event(QPointF(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &event);
}

bool isTold(const QWidget& window, const QString& part)
{
    for (const Banner* banner : window.findChildren<Banner*>())
        if (banner->isVisible() && banner->accessibleName().contains(part))
            return true;
    return false;
}

} // namespace

class TestThreadFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
        QCoreApplication::setApplicationName(QStringLiteral("thread-files"));
    }

    void whatIsDroppedIsImportedAndShown_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("thread");
        QTest::newRow("its own name, which is selected") << QString() << QStringLiteral("main");
        QTest::newRow("another name") << QStringLiteral("carol") << QStringLiteral("carol");
    }
    void whatIsDroppedIsImportedAndShown()
    {
        QFETCH(QString, name);
        QFETCH(QString, thread);
        const test::TempDir elsewhere;
        const QString file = bundleIn(elsewhere);
        QVERIFY(!file.isEmpty());
        elsewhere.write("project/g.graph.json", test::oneNodeGraph("{value: 2}"));
        MainWindow window;
        QSignalSpy ready(&window, &MainWindow::ready);
        window.show();
        window.openProject(QString::fromStdString((elsewhere / "project/g.graph.json").string()));
        QTRY_VERIFY(!ready.isEmpty());
        const auto* threads = window.findChild<ThreadBook*>();
        const auto* bar = window.findChild<RunBar*>();
        QTRY_COMPARE(bar->thread(), QStringLiteral("main")); // the one that a first run would get

        drop(window, file);
        QInputDialog* asked = nullptr;
        QTRY_VERIFY((asked = window.findChild<QInputDialog*>(QStringLiteral("importName"))) != nullptr);
        asked->setTextValue(name);
        asked->accept();
        QTRY_COMPARE(threads->threads(), QStringList{ thread });
        QTRY_COMPARE(bar->thread(), thread);
        QTRY_VERIFY(isTold(window, QStringLiteral("Imported")));
    }

    void withoutAProjectItSaysWhatIsMissing()
    {
        const test::TempDir elsewhere;
        const QString file = bundleIn(elsewhere);
        MainWindow window;
        window.show();
        drop(window, file);
        QVERIFY(isTold(window, QStringLiteral("open the project first")));
        QVERIFY(window.findChild<QInputDialog*>(QStringLiteral("importName")) == nullptr);
    }
};

SG_WINDOW_TEST(TestThreadFiles)
#include "tst_thread_files.moc"
