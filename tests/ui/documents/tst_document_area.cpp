// Documents in the middle: opening, closing, splitting, walking, and what is kept of it.

#include "tests/support/window_style.h"
#include "ui/documents/document_area.h"
#include "ui/documents/document_group.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QDataStream>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPointer>
#include <QSignalSpy>

using namespace sg::ui;

namespace {

// Kinds as a window has them: a graph, files of their own, one search.
struct Desk {
    QPlainTextEdit* graph = new QPlainTextEdit;
    QPointer<QPlainTextEdit> search = new QPlainTextEdit;
    int made = 0;
    DocumentArea area{ kinds() };

    Desk()
    {
        area.resize(900, 500);
        area.show();
    }
    ~Desk()
    {
        if (search->parent() == nullptr)
            delete search;
    }
    std::vector<DocumentKind> kinds()
    {
        graph->setWindowTitle(QStringLiteral("a.graph[*]"));
        search->setWindowTitle(QStringLiteral("Search[*]"));
        search->hide();
        return { { QStringLiteral("graph"), QLatin1String("graph"), DocumentKind::Life::Pinned,
                   [this](const QString&, QWidget*) { return graph; } },
                 { QStringLiteral("file"), QLatin1String("file"), DocumentKind::Life::Owned,
                   [this](const QString& name, QWidget* parent) -> QWidget* {
                       if (name == QLatin1String("gone"))
                           return nullptr;
                       ++made;
                       auto* text = new QPlainTextEdit(parent);
                       text->setWindowTitle(name + QStringLiteral("[*]"));
                       return text;
                   } },
                 { QStringLiteral("search"), QLatin1String("search"), DocumentKind::Life::Kept,
                   [this](const QString&, QWidget*) { return search; } } };
    }
    static DocumentId file(const char* name) { return { QStringLiteral("file"), QLatin1String(name) }; }
    // "a.graph *x | y": groups, the document in front marked.
    [[nodiscard]] QString text() const
    {
        QStringList groups;
        for (QWidget* front : area.seen()) { // in reading order
            const auto* group = qobject_cast<DocumentGroup*>(front->parentWidget()->parentWidget());
            QStringList tabs;
            for (int i = 0; i < group->count(); ++i)
                tabs << (group->at(i) == group->current() ? QStringLiteral("*") : QString())
                        + group->tabs().tabText(i);
            groups << tabs.join(QLatin1Char(' '));
        }
        return groups.join(QStringLiteral(" | "));
    }
    QAction* action(const char* name) const
    {
        for (QAction* each : area.actions())
            if (each->objectName() == QLatin1String(name))
                return each;
        return nullptr;
    }
    DocumentTabs& tabs(int group) const { return area.findChildren<DocumentGroup*>().at(group)->tabs(); }
    // As if the tab of `id` were dropped there.
    void drop(const DocumentId& id, const QPoint& at)
    {
        QMimeData named;
        QByteArray name;
        QDataStream out(&name, QIODevice::WriteOnly);
        out << id.kind << id.argument;
        named.setData(QStringLiteral("application/x-sandglass-document"), name);
        QDragEnterEvent enter(at, Qt::MoveAction, &named, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&area, &enter);
        QDropEvent dropped(at, Qt::MoveAction, &named, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&area, &dropped);
    }
};

} // namespace

class TestDocumentArea : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void opensEachDocumentOnce()
    {
        Desk desk;
        QCOMPARE(desk.text(), QStringLiteral("*a.graph"));
        QWidget* x = desk.area.open(Desk::file("x"));
        desk.area.open(Desk::file("y"));
        QCOMPARE(desk.text(), QStringLiteral("a.graph x *y"));
        QCOMPARE(desk.area.open(Desk::file("x")), x);
        QCOMPARE(desk.made, 2);
        QCOMPARE(desk.text(), QStringLiteral("a.graph *x y"));
        QCOMPARE(desk.area.current(), Desk::file("x"));
        QCOMPARE(desk.area.open(Desk::file("gone")), nullptr);
        QCOMPARE(desk.text(), QStringLiteral("a.graph *x y"));
    }

    void tellsWhatComesToBeSeen()
    {
        Desk desk;
        QSignalSpy seen(&desk.area, &DocumentArea::cameToBeSeen);
        QWidget* x = desk.area.open(Desk::file("x"));
        QVERIFY(!seen.isEmpty());
        QCOMPARE(seen.back().at(0).value<const QWidget*>(), x);
        QVERIFY(desk.area.isSeen(x));
        QVERIFY(!desk.area.isSeen(desk.graph));
        desk.area.open({ QStringLiteral("graph"), {} });
        QVERIFY(!desk.area.isSeen(x));
        QVERIFY(desk.area.isSeen(desk.graph));
    }

    void closesByKeyAndMiddleButtonButNotTheGraph()
    {
        Desk desk;
        QPointer<QWidget> x = desk.area.open(Desk::file("x"));
        desk.area.open({ QStringLiteral("search"), {} });
        desk.action("window.close-document")->trigger();
        QCOMPARE(desk.text(), QStringLiteral("a.graph *x"));
        QVERIFY(!desk.search->isVisible());
        QTest::mouseClick(&desk.tabs(0), Qt::MiddleButton, {}, desk.tabs(0).tabRect(1).center());
        QCOMPARE(desk.text(), QStringLiteral("*a.graph"));
        QTRY_VERIFY(x.isNull());
        QTest::mouseClick(&desk.tabs(0), Qt::MiddleButton, {}, desk.tabs(0).tabRect(0).center());
        QCOMPARE(desk.text(), QStringLiteral("*a.graph"));
        QVERIFY(!desk.action("window.close-document")->isEnabled());
        desk.area.open({ QStringLiteral("search"), {} }); // the same one
        QVERIFY(desk.search->isVisible());
    }

    void showsUnsavedChangesInTheTab()
    {
        Desk desk;
        QWidget* x = desk.area.open(Desk::file("x"));
        x->setWindowModified(true);
        QCOMPARE(desk.text(), QStringLiteral("a.graph *x •"));
        x->setWindowTitle(QStringLiteral("z[*]"));
        QCOMPARE(desk.text(), QStringLiteral("a.graph *z •"));
        x->setWindowModified(false);
        QCOMPARE(desk.text(), QStringLiteral("a.graph *z"));
    }

    void splitsAndJoins()
    {
        Desk desk;
        desk.area.open(Desk::file("x"));
        QVERIFY(desk.action("window.split-right")->isEnabled());
        desk.action("window.split-right")->trigger();
        QCOMPARE(desk.text(), QStringLiteral("*a.graph | *x"));
        QVERIFY(desk.graph->isVisible());
        QVERIFY(!desk.action("window.split-right")->isEnabled()); // it would be alone there, too
        desk.area.open(Desk::file("y"));
        QCOMPARE(desk.text(), QStringLiteral("*a.graph | x *y"));
        desk.action("window.split-below")->trigger();
        QCOMPARE(desk.area.groups(), 3);
        const QWidget* x = desk.area.find(Desk::file("x"));
        const QWidget* y = desk.area.find(Desk::file("y"));
        QVERIFY(y->mapTo(&desk.area, QPoint()).y() > x->mapTo(&desk.area, QPoint()).y());
        QVERIFY(x->mapTo(&desk.area, QPoint()).x() > desk.graph->mapTo(&desk.area, QPoint()).x());
        desk.area.close(Desk::file("y"));
        QCOMPARE(desk.area.groups(), 2);
        desk.action("window.join-documents")->trigger();
        QCOMPARE(desk.area.groups(), 1);
        QCOMPARE(desk.area.documents().size(), 2);
    }

    void walksThroughAllGroups()
    {
        Desk desk;
        desk.area.open(Desk::file("x"));
        desk.action("window.split-right")->trigger();
        desk.area.open(Desk::file("y"));
        const auto after = [&](const char* verb) {
            desk.action(verb)->trigger();
            return desk.area.current();
        };
        QCOMPARE(after("window.next-document").kind, QStringLiteral("graph"));
        QCOMPARE(after("window.next-document"), Desk::file("x"));
        QCOMPARE(after("window.next-document"), Desk::file("y"));
        QCOMPARE(after("window.previous-document"), Desk::file("x"));
    }

    void dragsATabToAnEdge_data()
    {
        QTest::addColumn<QPoint>("at");
        QTest::addColumn<QString>("text");
        QTest::newRow("right") << QPoint(880, 200) << QStringLiteral("*a.graph x | *y");
        QTest::newRow("below") << QPoint(300, 480) << QStringLiteral("*a.graph x | *y");
        QTest::newRow("among its own") << QPoint(300, 200) << QStringLiteral("a.graph x *y");
    }
    void dragsATabToAnEdge()
    {
        QFETCH(const QPoint, at);
        QFETCH(const QString, text);
        Desk desk;
        desk.area.open(Desk::file("x"));
        desk.area.open(Desk::file("y"));
        desk.drop(Desk::file("y"), at);
        QString shown = desk.text();
        if (text.contains(QLatin1Char('|'))) // which of both is in front there does not matter
            shown.replace(QStringLiteral("a.graph *x"), QStringLiteral("*a.graph x"));
        QCOMPARE(shown, text);
    }

    void keepsTabsAndPlaces()
    {
        QByteArray saved;
        {
            Desk desk;
            desk.area.open(Desk::file("x"));
            desk.area.open(Desk::file("y"));
            desk.action("window.split-right")->trigger();
            desk.area.open({ QStringLiteral("search"), {} });
            desk.area.open(Desk::file("x"));
            QCOMPARE(desk.text(), QStringLiteral("a.graph *x | y *Search"));
            saved = desk.area.save();
        }
        Desk desk;
        desk.area.restore(saved, true);
        QCOMPARE(desk.text(), QStringLiteral("a.graph *x | y *Search"));
        QCOMPARE(desk.area.current(), Desk::file("x"));
        // Another layout has the same documents elsewhere.
        desk.action("window.join-documents")->trigger();
        desk.area.close(Desk::file("y"));
        desk.area.open(Desk::file("z"));
        desk.area.restore(saved, false);
        QCOMPARE(desk.text(), QStringLiteral("a.graph *x z | *Search"));
    }

    void survivesWhatIsDamaged()
    {
        Desk desk;
        desk.area.open(Desk::file("x"));
        const QByteArray saved = desk.area.save();
        for (qsizetype length = 0; length < saved.size(); length += 3) {
            desk.area.restore(saved.left(length), true);
            QCOMPARE(desk.text(), QStringLiteral("a.graph *x"));
        }
        Desk other;
        other.area.open(Desk::file("x"));
        QByteArray gone = other.area.save();
        gone.replace(QByteArray("\0x", 2), QByteArray("\0g", 2)); // another file
        desk.area.closeAll();
        desk.area.restore(gone, true);
        QCOMPARE(desk.text(), QStringLiteral("a.graph *g"));
    }

    void survivesEveryWrongByte()
    {
        Desk desk;
        desk.area.open(Desk::file("x"));
        const QByteArray saved = desk.area.save();
        for (qsizetype at = 0; at < saved.size(); ++at)
            for (const char wrong : { '\0', '\1', '\2', '\x7f', '\xff' }) {
                QByteArray damaged = saved;
                damaged[at] = wrong;
                desk.area.restore(damaged, false);
                QVERIFY(desk.area.find(Desk::file("x")) != nullptr);
            }
        desk.area.restore(saved, false);
        QCOMPARE(desk.text(), QStringLiteral("a.graph *x"));
    }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        Desk desk;
        desk.area.open(Desk::file("nodes/analyze.py"))->setWindowModified(true);
        desk.action("window.split-right")->trigger();
        desk.area.open({ QStringLiteral("search"), {} });
        sg::test::pictureOf(desk.area, QStringLiteral("documents-") + name);
    }
};

SG_WINDOW_TEST(TestDocumentArea)
#include "tst_document_area.moc"
