// Notes and frames: written, moved, sized and taken away as steps that change nothing that runs.

#include "tests/support/window_style.h"
#include "tests/ui/graph/graph_texts.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/canvas/note_editor.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/note_edits.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/note_item.h"

#include <QAccessible>
#include <QAction>
#include <QSignalSpy>

using namespace sg;
using namespace sg::ui;

namespace {

struct Desk {
    GraphDocument document;
    GraphScene scene{ document };
    GraphView view{ scene };
    CanvasEditor& editor = view.makeEditable(document);

    explicit Desk(const std::string& text = "start>a>b>end")
    {
        document.setEditable(true);
        graph::Graph graph = test::graphFromText(text);
        graph.layout = { { NodeId("a"), { 0, 0 } }, { NodeId("b"), { 300, 0 } } };
        document.setGraph(graph);
        view.resize(1000, 600);
        view.show();
        view.setZoom(1);
        view.centerOn(150, 0);
        view.setFocus();
    }
    void add(const graph::Note& note)
    {
        document.editPlaced(QStringLiteral("x"), [&](graph::Graph& graph) { addNote(graph, note); });
    }
    void drag(const QPointF& from, const QPointF& to)
    {
        const auto at = [this](const QPointF& place) { return view.mapFromScene(place); };
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, at(from));
        send(at((from + to) / 2));
        send(at(to));
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, at(to));
    }
    void send(const QPoint& at)
    {
        QMouseEvent event(QEvent::MouseMove, at, view.viewport()->mapToGlobal(QPointF(at)), Qt::NoButton,
                          Qt::LeftButton, {});
        QApplication::sendEvent(view.viewport(), &event);
    }
    [[nodiscard]] const std::vector<graph::Note>& notes() const { return document.graph().notes; }
    [[nodiscard]] std::string semantics() const
    {
        graph::Graph graph = document.graph();
        graph.layout.clear();
        graph.notes.clear();
        return graph::graphText(graph);
    }
    [[nodiscard]] graph::Position placeOf(const char* node) const
    {
        for (const auto& [id, place] : document.graph().layout)
            if (id.value == node)
                return place;
        return {};
    }
};

graph::Note note(const char* text, double x, double y, double width = 200, double height = 80,
                 bool frame = false)
{
    return { text, { x, y }, { width, height }, frame, {} };
}

} // namespace

class TestNotes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        Desk desk;
        desk.add(note("Reads the table once; later nodes find it in the session.", -80, 60));
        desk.add(note("Reading", -120, -80, 240, 250, true));
        desk.scene.setCurrentNote(1);
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(desk.view, QStringLiteral("notes-") + name)) > 10);
    }

    void nIsWrittenAtOnce()
    {
        Desk desk;
        const std::string before = desk.semantics();
        desk.editor.actions().note->trigger();
        auto* editor = desk.view.findChild<NoteEditor*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, QStringLiteral("why"));
        QTest::keyClick(editor, Qt::Key_Escape);
        QTRY_COMPARE(desk.notes().size(), std::size_t(1));
        QCOMPARE(desk.notes()[0].text, std::string("why"));
        QCOMPARE(desk.semantics(), before);
        QCOMPARE(desk.document.steps().count(), 2); // added, written
        desk.document.steps().undo();
        desk.document.steps().undo();
        QVERIFY(desk.notes().empty());
        QVERIFY(desk.scene.notes().empty());
    }

    void aFrameStandsAroundWhatIsSelectedAndTakesItAlong()
    {
        Desk desk;
        desk.scene.setSelectedNodes({ NodeId("a") });
        desk.editor.actions().frame->trigger();
        QVERIFY(desk.view.findChild<NoteEditor*>());
        QTest::keyClick(desk.view.findChild<NoteEditor*>(), Qt::Key_Return);
        QVERIFY(desk.notes().at(0).frame);
        const QRectF frame = desk.scene.notes()[0]->rect();
        QVERIFY(frame.contains(QRectF(-80, -28, 160, 56)));
        const QPointF title = frame.topLeft() + QPointF(30, 10);
        desk.drag(title, title + QPointF(0, 100));
        QCOMPARE(desk.placeOf("a").y, 100 + std::round((frame.top() + 100) / 20) * 20 - (frame.top() + 100));
        QCOMPARE(desk.placeOf("b").y, 0.0);
        desk.document.steps().undo(); // frame and node together
        QCOMPARE(desk.placeOf("a").y, 0.0);
        QCOMPARE(desk.scene.notes()[0]->rect(), frame);
    }

    void insideOfAFrameIsGround()
    {
        Desk desk;
        desk.add(note("f", -200, -200, 700, 400, true));
        QTest::mouseClick(desk.view.viewport(), Qt::LeftButton, {},
                          desk.view.mapFromScene(QPointF(150, 120)));
        QCOMPARE(desk.scene.currentNote(), kNoNote);
        QTest::mouseClick(desk.view.viewport(), Qt::LeftButton, {}, desk.view.mapFromScene(QPointF(0, 0)));
        QCOMPARE(desk.scene.currentNode(), NodeId("a"));
        QTest::mouseClick(desk.view.viewport(), Qt::LeftButton, {},
                          desk.view.mapFromScene(QPointF(-100, -190)));
        QCOMPARE(desk.scene.currentNote(), std::size_t(0));
        QVERIFY(desk.scene.currentNode().empty());
    }

    void theCornerSizesAndKeysMove()
    {
        Desk desk;
        desk.add(note("n", 0, 100));
        desk.scene.setCurrentNote(0);
        desk.drag(QPointF(198, 178), QPointF(258, 238));
        QCOMPARE(desk.notes()[0].size.x, 260.0);
        QCOMPARE(desk.notes()[0].size.y, 140.0);
        QCOMPARE(desk.notes()[0].place.x, 0.0);
        QTest::keyClick(&desk.view, Qt::Key_Right, Qt::ControlModifier);
        QTest::keyClick(&desk.view, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(desk.notes()[0].place.x, 40.0);
        desk.document.steps().undo(); // both presses are one step
        QCOMPARE(desk.notes()[0].place.x, 0.0);
        QTest::keyClick(&desk.view, Qt::Key_Delete);
        desk.editor.actions().remove->trigger();
        QVERIFY(desk.notes().empty());
    }

    void hostilePlacesAreBounded()
    {
        Desk desk;
        desk.add(note("far", 1e7, -1e7, 1e7, -5));
        const QRectF rect = desk.scene.notes()[0]->rect();
        QVERIFY(rect.left() <= 1e6 && rect.width() <= 20'000 && rect.height() >= 40);
    }

    void assistiveTechnologySeesThem()
    {
        Desk desk;
        desk.add(note("Why so", 0, 100));
        QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(&desk.view);
        QVERIFY(canvas);
        QStringList names;
        for (int i = 0; i < canvas->childCount(); ++i)
            if (QAccessibleInterface* child = canvas->child(i))
                names << child->text(QAccessible::Name);
        QVERIFY2(names.contains(QStringLiteral("note: Why so")),
                 qPrintable(names.join(QStringLiteral(" | "))));
    }
};

SG_WINDOW_TEST(TestNotes)
#include "tst_notes.moc"
