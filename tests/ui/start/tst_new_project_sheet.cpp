// The sheet that asks for a new project: what it asks, what it says of the place, and what it takes from the
// window beneath.

#include "tests/support/window_style.h"
#include "tests/ui/start/some_templates.h"
#include "ui/start/new_project_sheet.h"
#include "ui/start/template_card.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolBar>

using namespace sg::ui;

namespace {

struct Shown {
    explicit Shown(int width = 1280, int height = 720)
    {
        window.resize(width, height);
        window.addToolBar(QStringLiteral("bar"))->setFixedHeight(40);
        window.show();
        QObject::connect(&sheet, &NewProjectSheet::templatesWanted, &sheet,
                         [this](const QString&, const QString& name) {
                             sheet.setTemplates(sg::test::shippedTemplates(name));
                         });
        sheet.open(QStringLiteral("/home/p/projects"), {});
    }
    template<typename T = QLineEdit>
    T* named(const char* name) const
    {
        return sheet.findChild<T*>(QLatin1String(name));
    }
    TemplateCard* card(const char* id) const
    {
        return named<TemplateCard>((std::string("template-") + id).c_str());
    }

    QMainWindow window;
    NewProjectSheet sheet{ &window };
};

} // namespace

class TestNewProjectSheet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString theme = sg::test::useTheme();
        Shown shown(1600, 1000);
        shown.sheet.setPlace({ { QStringLiteral("projects"), QStringLiteral("untitled") }, {} });
        QVERIFY(
            sg::test::colourCount(sg::test::pictureOf(shown.window, QStringLiteral("new-project-") + theme))
            > 12);
        Shown small(1280, 720);
        small.sheet.setPlace(
            { {}, { QStringLiteral("/x is a file, not a folder: choose another place"), {} } });
        sg::test::pictureOf(small.window, QStringLiteral("new-project-small-") + theme);
    }

    void thePlaceFollowsTheName()
    {
        Shown shown;
        QSignalSpy asked(&shown.sheet, &NewProjectSheet::placeTyped);
        QTest::keyClicks(shown.named<>("newProjectName"), QStringLiteral("krill"));
        QCOMPARE(shown.named<>("newProjectPlace")->text(), QStringLiteral("/home/p/projects/krill"));
        QVERIFY(asked.wait());
        QCOMPARE(asked.back().front().toString(), QStringLiteral("krill"));
        shown.named<>("newProjectPlace")->setText(QStringLiteral("/elsewhere/mine"));
        QTest::keyClicks(shown.named<>("newProjectName"), QStringLiteral("-2"));
        QCOMPARE(shown.named<>("newProjectPlace")->text(), QStringLiteral("/elsewhere/mine"));
    }

    void saysWhatIsMadeAndWhatCannotBe()
    {
        Shown shown;
        auto* create = shown.named<QPushButton>("newProjectCreate");
        QVERIFY(!create->isEnabled()); // nobody has answered yet
        shown.sheet.setPlace({ { QStringLiteral("2026"), QStringLiteral("krill") }, {} });
        QVERIFY(create->isEnabled());
        QCOMPARE(shown.named<QLabel>("newProjectPlaceNote")->text(),
                 QStringLiteral("The folders 2026 and krill will be made."));
        shown.sheet.setPlace({ {}, { QStringLiteral("you may not write to /"), {} } });
        QVERIFY(!create->isEnabled());
        QVERIFY(shown.named<QLabel>("newProjectPlaceFault")->isVisible());
        QVERIFY(!shown.named<QLabel>("newProjectPlaceNote")->isVisible());
    }

    void createsWithWhatWasChosen()
    {
        Shown shown;
        QSignalSpy created(&shown.sheet, &NewProjectSheet::createRequested);
        shown.sheet.setPlace({});
        QVERIFY(shown.card("empty")->isChecked());
        shown.card("python")->click();
        QVERIFY(shown.named<QLabel>("newProjectAbout")
                    ->text()
                    .startsWith(QStringLiteral("python: Reads a table")));
        QTest::keyClick(shown.named<>("newProjectName"), Qt::Key_Return);
        QCOMPARE(created.count(), 1);
        QCOMPARE(created[0][2].toString(), QStringLiteral("python"));
        QTest::keyClick(shown.named<>("newProjectName"), Qt::Key_Return); // it is being made
        QCOMPARE(created.count(), 1);
        shown.sheet.setError({ QStringLiteral("the disk is full"), {} });
        QVERIFY(shown.named<QLabel>("newProjectFault")->isVisible());
        QVERIFY(shown.sheet.isVisible());
        QVERIFY(shown.named<QPushButton>("newProjectCreate")->isEnabled());
    }

    void theSimplestComesFirst()
    {
        const Shown shown;
        QStringList order;
        for (const TemplateCard* card : shown.sheet.findChildren<TemplateCard*>())
            order << card->row().id;
        QCOMPARE(order.mid(0, 4),
                 QStringList({ QStringLiteral("empty"), QStringLiteral("python"), QStringLiteral("approval"),
                               QStringLiteral("fan-out") }));
    }

    void searchesTemplates()
    {
        Shown shown;
        QTest::keyClicks(shown.sheet.findChild<QLineEdit*>(QString(), Qt::FindChildrenRecursively),
                         QString());
        for (QLineEdit* field : shown.sheet.findChildren<QLineEdit*>())
            if (field->accessibleName() == QLatin1String("Search templates"))
                QTest::keyClicks(field, QStringLiteral("person"));
        QTRY_VERIFY(!shown.card("python")->isVisible());
        QVERIFY(shown.card("approval")->isVisible());
    }

    void keepsKeysAndFocusFromTheWindow()
    {
        Shown shown;
        int triggered = 0;
        QAction run;
        run.setShortcut(QKeySequence(Qt::Key_F5));
        shown.window.addAction(&run);
        QObject::connect(&run, &QAction::triggered, &run, [&] { ++triggered; });
        shown.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&shown.window));
        shown.named<>("newProjectName")->setFocus();
        QTest::keyClick(shown.window.windowHandle(), Qt::Key_F5);
        QCOMPARE(triggered, 0);
        shown.sheet.setPlace({});
        for (int i = 0; i < 12; ++i) {
            QTest::keyClick(shown.window.windowHandle(), Qt::Key_Tab);
            QVERIFY(shown.sheet.isAncestorOf(QApplication::focusWidget()));
        }
        QTest::keyClick(shown.window.windowHandle(), Qt::Key_Escape);
        QVERIFY(!shown.sheet.isVisible());
    }
};

SG_WINDOW_TEST(TestNewProjectSheet)
#include "tst_new_project_sheet.moc"
