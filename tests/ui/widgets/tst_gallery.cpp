// Every control once, in both themes: none may warn, none may draw nothing.

#include "tests/support/window_style.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/state_look.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QToolBar>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace sg::ui;

namespace {

// The small painted parts in rows.
class PaintedParts : public QWidget {
public:
    PaintedParts() { setMinimumHeight(150); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), color(&Tokens::base));
        double x = 12;
        for (const StateKind kind : kStateKinds) {
            paintStateGlyph(painter, kind, QRectF(x, 10, 20, 20), tokens().base);
            paintStateGlyph(painter, kind, QRectF(x + 24, 14, 12, 12), tokens().base);
            x += 56;
        }
        paintRewindMark(painter, Rewind::Exact, QPointF(x, 20), tokens().text2, tokens().base);
        paintRewindMark(painter, Rewind::Restored, QPointF(x + 24, 20), tokens().text2, tokens().base);
        paintRewindMark(painter, Rewind::None, QPointF(x + 48, 20), tokens().text2, tokens().base);
        x = 12;
        double y = 44;
        for (const QString& name : iconNames()) {
            const QByteArray latin = name.toLatin1();
            paintIcon(painter, QLatin1String(latin), QRectF(x, y, 16, 16), color(&Tokens::text2));
            x += 26;
            if (x > width() - 30) {
                x = 12;
                y += 26;
            }
        }
        y += 36;
        x = 12 + paintChip(painter, { {}, QStringLiteral("branch 2") }, QPointF(12, y)).width();
        x += 8
            + paintChip(painter,
                        { QStringLiteral("+"), QStringLiteral("added"), &Tokens::done, &Tokens::doneTint },
                        QPointF(x + 8, y))
                  .width();
        paintKey(painter, QStringLiteral("Ctrl+K"), QPointF(x + 20, y));
    }
};

void fillToolBar(QMainWindow& window)
{
    auto* bar = window.addToolBar(QStringLiteral("Main"));
    auto* project = new QComboBox;
    project->addItem(icon(QLatin1String("graph")), QStringLiteral("penguins"));
    bar->addWidget(project);
    bar->addSeparator();
    auto* run = new QToolButton;
    run->setText(QStringLiteral("Run"));
    run->setIcon(icon(QLatin1String("play"), &Tokens::done));
    run->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    run->setPopupMode(QToolButton::MenuButtonPopup);
    run->setMenu(new QMenu(run));
    run->setAutoRaise(true);
    bar->addWidget(run);
    bar->addAction(icon(QLatin1String("pause")), QStringLiteral("Pause"))->setEnabled(false);
    bar->addAction(icon(QLatin1String("stop")), QStringLiteral("Stop"));
    bar->addSeparator();
    auto* layouts = new SegmentedControl(QStringLiteral("Layout"));
    for (const char* name : { "Build", "Debug", "Session", "Review" })
        layouts->addSegment(QLatin1String(name));
    layouts->setCurrentIndex(1);
    bar->addWidget(layouts);
    auto* edit = new FilterEdit(QStringLiteral("Go to node, thread, file…"), FilterEdit::Sign::Search);
    bar->addWidget(edit);
}

QWidget* controls()
{
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    auto* row = new QHBoxLayout;
    for (const char* variant : { "", "sgPrimary", "sgFlat", "sgLink" }) {
        auto* button = new QPushButton(QLatin1String(*variant ? variant : "Plain"));
        if (*variant)
            button->setProperty(variant, true);
        row->addWidget(button);
    }
    auto* disabled = new QPushButton(QStringLiteral("Disabled"));
    disabled->setEnabled(false);
    row->addWidget(disabled);
    auto* dense = new QPushButton(QStringLiteral("Dense"));
    makeDense(dense);
    row->addWidget(dense);
    column->addLayout(row);
    row = new QHBoxLayout;
    auto* check = new QCheckBox(QStringLiteral("Pause before publish"));
    check->setChecked(true);
    row->addWidget(check);
    row->addWidget(new QCheckBox(QStringLiteral("Off")));
    auto* radio = new QRadioButton(QStringLiteral("Disk"));
    radio->setChecked(true);
    row->addWidget(radio);
    row->addWidget(new QRadioButton(QStringLiteral("Memory")));
    row->addWidget(new QSpinBox);
    auto* combo = new QComboBox;
    combo->addItem(QStringLiteral("parent, step 11"));
    makeDense(combo);
    row->addWidget(combo);
    auto* toggles = new SegmentedControl(QStringLiteral("Streams"), SegmentedControl::Mode::Toggles);
    makeDense(toggles);
    for (const char* name : { "Out", "Err", "Events" })
        toggles->setOn(toggles->addSegment(QLatin1String(name)), true);
    row->addWidget(toggles);
    column->addLayout(row);
    column->addWidget(new PaintedParts);
    return box;
}

QTableWidget* table()
{
    auto* view = new QTableWidget(12, 3);
    view->setHorizontalHeaderLabels(
        { QStringLiteral("Session"), QStringLiteral("Thread"), QStringLiteral("State") });
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(24);
    view->setShowGrid(false);
    view->setAlternatingRowColors(true);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 3; ++column)
            view->setItem(row, column, new QTableWidgetItem(QStringLiteral("s-%1 %2").arg(row).arg(column)));
    view->selectRow(1);
    view->setFrameShape(QFrame::NoFrame);
    view->horizontalHeader()->setStretchLastSection(true);
    return view;
}

QTreeWidget* tree()
{
    auto* view = new QTreeWidget;
    view->setHeaderLabels({ QStringLiteral("Channel"), QStringLiteral("Value") });
    auto* quality =
        new QTreeWidgetItem(view, { QStringLiteral("quality"), QStringLiteral("object, 3 keys") });
    new QTreeWidgetItem(quality, { QStringLiteral("score"), QStringLiteral("0.97") });
    new QTreeWidgetItem(view, { QStringLiteral("route"), QStringLiteral("\"ok\"") });
    quality->setExpanded(true);
    view->setFrameShape(QFrame::NoFrame);
    return view;
}

void addDock(QMainWindow& window, Qt::DockWidgetArea area, const QString& title, QWidget* content)
{
    auto* dock = new QDockWidget(title, &window);
    dock->setWidget(content);
    window.addDockWidget(area, dock);
}

} // namespace

class TestGallery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void drawsEveryControl_data() { sg::test::themes(); }
    void drawsEveryControl()
    {
        sg::test::useTheme();
        QMainWindow window;
        window.resize(1280, 720);
        for (const char* name : { "File", "Edit", "View", "Graph", "Run" })
            window.menuBar()->addMenu(QLatin1String(name))->addAction(QStringLiteral("Open…"));
        fillToolBar(window);
        auto* tabs = new QTabWidget;
        tabs->setDocumentMode(true);
        tabs->addTab(controls(), icon(QLatin1String("graph")), QStringLiteral("penguins.graph"));
        tabs->addTab(new QWidget, icon(QLatin1String("hourglass")), QStringLiteral("alice: run 14"));
        auto* centre = new QWidget;
        auto* column = new QVBoxLayout(centre);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* warning = new Banner;
        warning->showMessage(
            Banner::Kind::Warning,
            QStringLiteral(
                "**No container engine found.** Runs use the local sandbox (`bubblewrap`; weaker limits)."));
        warning->addButton(QStringLiteral("Check again"));
        warning->addLink(QStringLiteral("How to install"));
        warning->setClosable(true);
        column->addWidget(warning);
        auto* viewing = new Banner;
        viewing->showMessage(Banner::Kind::Viewing, QStringLiteral("**Viewing step 12** of branch 2"));
        viewing->addButton(QStringLiteral("Return to head"));
        column->addWidget(viewing);
        column->addWidget(tabs);
        window.setCentralWidget(centre);
        addDock(window, Qt::RightDockWidgetArea, QStringLiteral("Sessions"), table());
        addDock(window, Qt::RightDockWidgetArea, QStringLiteral("State"), tree());
        auto* empty = new EmptyState(QLatin1String("image"),
                                     QStringLiteral("Files saved to `/session/artifacts/` appear here."));
        empty->setButton(QStringLiteral("Show example code"));
        addDock(window, Qt::BottomDockWidgetArea, QStringLiteral("Artifacts"), empty);
        auto* badge = new Badge(Badge::Kind::Waiting);
        badge->setCount(2);
        window.statusBar()->addWidget(new QLabel(QStringLiteral("Engine connected")));
        window.statusBar()->addWidget(badge);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QImage picture = sg::test::pictureOf(
            window, QStringLiteral("gallery-%1").arg(QLatin1String(QTest::currentDataTag())));
        QVERIFY(sg::test::colourCount(picture) >= 30);
        QCOMPARE(window.menuBar()->height(), 28);
        QCOMPARE(window.statusBar()->sizeHint().height() >= 16, true);
    }
};

SG_WINDOW_TEST(TestGallery)
#include "tst_gallery.moc"
