// Whoever goes through the window with F6 and Tab sees at every stop where the keys go.

#include "tests/support/temp_dir.h"
#include "tests/support/window_style.h"
#include "ui/run/run_bar.h"
#include "ui/shell/main_window.h"

#include <QSignalSpy>
#include <QStandardPaths>

using namespace sg;
using namespace sg::ui;

namespace {

const char* const kGraph = R"({
  "format": 1,
  "name": "g",
  "state": {
    "value": {"type": "last_value"}
  },
  "nodes": [
    {
      "name": "one",
      "kind": "jq",
      "jq": "{value: 1}"
    }
  ],
  "edges": [
    ["__start__", "one"],
    ["one", "__end__"]
  ]
}
)";

constexpr int kLeast = 24; // pixels that a ring changes at least
constexpr int kMostStops = 400;

QString nameOf(const QWidget& widget)
{
    QString name = QString::fromLatin1(widget.metaObject()->className()) + QStringLiteral(" '")
        + (widget.accessibleName().isEmpty() ? widget.objectName() : widget.accessibleName())
        + QLatin1Char('\'');
    for (const QWidget* parent = widget.parentWidget(); parent; parent = parent->parentWidget())
        if (!parent->accessibleName().isEmpty())
            return name + QStringLiteral(" in ") + parent->accessibleName();
    return name;
}

int differing(const QImage& one, const QImage& other)
{
    int count = 0;
    for (int y = 0; y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x)
            count += one.pixel(x, y) != other.pixel(x, y) ? 1 : 0;
    return count;
}

} // namespace

class TestFocusRings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
        QCoreApplication::setApplicationName(QStringLiteral("focus-rings"));
        sg::test::useStyle();
    }

    void everyStopOfTabShowsIt_data() { sg::test::themes(); }
    void everyStopOfTabShowsIt()
    {
        sg::test::useTheme();
        test::TempDir folder;
        folder.write("g.graph.json", kGraph);
        MainWindow window;
        window.resize(1600, 1000);
        window.show();
        QSignalSpy ready(&window, &MainWindow::ready);
        window.openProject(QString::fromStdString((folder / "g.graph.json").string()));
        QTRY_VERIFY(!ready.isEmpty() && !window.findChild<RunBar*>()->thread().isEmpty());
        window.activateWindow();
        QTRY_VERIFY(window.isActiveWindow());
        QStringList stops;
        QStringList without;
        QSet<const QWidget*> seen;
        for (int i = 0; i < kMostStops; ++i) {
            const QWidget* before = QApplication::focusWidget();
            if (before != nullptr && i % 40 != 0 && before->objectName() != QLatin1String("canvas"))
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            if (QApplication::focusWidget() == before) // it is the canvas's own key, or a text's
                QTest::keyClick(&window, i % 40 == 0 ? Qt::Key_F6 : Qt::Key_Tab);
            QWidget* focused = QApplication::focusWidget();
            if (focused == nullptr || seen.contains(focused) || focused->window() != &window)
                continue;
            seen.insert(focused);
            stops << nameOf(*focused);
            const QRect place(focused->mapTo(&window, QPoint()), focused->size());
            QCoreApplication::processEvents();
            const QImage with = window.grab(place).toImage();
            focused->clearFocus();
            QCoreApplication::processEvents();
            const int changed = differing(with, window.grab(place).toImage());
            focused->setFocus(Qt::TabFocusReason);
            if (changed < kLeast) {
                without << nameOf(*focused);
                sg::test::keepPicture(window.grab().toImage(),
                                      QStringLiteral("focus-%1").arg(without.size()));
            }
        }
        QVERIFY2(seen.size() > 20, qPrintable(stops.join(QLatin1Char('\n'))));
        QVERIFY2(without.isEmpty(), qPrintable(without.join(QLatin1Char('\n'))));
    }
};

SG_WINDOW_TEST(TestFocusRings)
#include "tst_focus_rings.moc"
