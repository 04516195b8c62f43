// Code in a tab: the same text as in the inspector, found and replaced, with problems and values in their
// lines.

#include "tests/support/qtry.h"
#include "tests/support/window_style.h"
#include "ui/code/code_document.h"
#include "ui/code/code_editor.h"
#include "ui/code/code_files.h"
#include "ui/code/find_bar.h"
#include "ui/code/problem_row.h"
#include "ui/code/text_search.h"
#include "ui/code/trailing_values.h"
#include "ui/graph/edits/graph_document.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>
#include <ctime>

using namespace sg;
using namespace sg::ui;

namespace {

const QString kFile = QStringLiteral("nodes/a.py");
const QString kCode = QStringLiteral("df = read(state[\"pengüin\"])\nmean = df.mean()\n"
                                     "df, dropped = clean(df)\nfor row in df:\n    mean += row\n");

graph::Graph oneNode()
{
    graph::Graph graph;
    graph.channels.resize(1);
    graph.channels[0].name = "rows";
    graph::Node python;
    python.name = NodeId("a");
    python.kind = "python";
    python.settings.set(Value("file"), Value(kFile.toStdString()));
    graph.nodes = { python };
    return graph;
}

struct Desk : QObject {
    GraphDocument document;
    CodeEditor editor{ document };
    CodeDocument* code = nullptr;

    Desk()
    {
        document.setEditable(true);
        document.setGraph(oneNode());
        connect(&editor.files(), &CodeFiles::readRequested, this, [this](const QString& name) {
            editor.files().take({ name, kCode, true, {}, {} });
        });
        editor.setNode(NodeId("a"));
        editor.resize(300, 300);
        editor.show();
        code = new CodeDocument(editor, kFile);
        code->resize(800, 400);
        code->show();
    }
    ~Desk() override { delete code; }
    template<typename Widget>
    Widget* child(const char* name) const
    {
        return code->findChild<Widget*>(QLatin1String(name));
    }
    [[nodiscard]] CodeView* peek() const { return editor.files().open(kFile); }
    void press(const QString& name) const
    {
        for (auto* button : code->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == name)
                return button->click();
        QFAIL(qPrintable(name));
    }
    void find(const QString& words) const
    {
        code->findChild<FindBar*>()->open();
        child<QLineEdit>("codeSearch")->setText(words);
    }
    [[nodiscard]] QString found() const { return child<QLabel>("codeFound")->text(); }
};

std::vector<TextMatch> matched(const QString& text, const TextQuery& query)
{
    return findMatches(text, query).all;
}

VariableRow variable(const char* name, const char* shape, const char* preview)
{
    VariableRow row;
    row.name = QLatin1String(name);
    row.shape = QString::fromUtf8(shape);
    row.preview = QLatin1String(preview);
    return row;
}

} // namespace

class TestCodeDocument : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void isTheSameTextAsInTheInspector()
    {
        Desk desk;
        QCOMPARE(desk.code->view().text(), kCode);
        QTest::keyClicks(desk.code->view().focusProxy(), QStringLiteral("#x"));
        QCOMPARE(desk.peek()->text(), QStringLiteral("#x") + kCode);
        QVERIFY(desk.editor.files().isModified(kFile));
        QVERIFY(desk.code->isWindowModified());
        QTest::keyClick(desk.peek()->focusProxy(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.code->view().text(), kCode); // one undo for both
        QVERIFY(!desk.code->isWindowModified());
    }

    void outlivesNothingOfTheProject()
    {
        Desk desk;
        desk.editor.setFolder(QStringLiteral("/other")); // the views of all files go
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        desk.code->resize(700, 300);
        QCOMPARE(desk.code->view().text(), kCode);
    }

    void findsAndCounts()
    {
        Desk desk;
        desk.find(QStringLiteral("df"));
        QCOMPARE(desk.found(), QStringLiteral("1 of 5"));
        desk.code->findChild<FindBar*>()->next();
        QCOMPARE(desk.found(), QStringLiteral("2 of 5"));
        desk.code->findChild<FindBar*>()->previous();
        QCOMPARE(desk.found(), QStringLiteral("1 of 5"));
        desk.code->findChild<FindBar*>()->previous();
        QCOMPARE(desk.found(), QStringLiteral("5 of 5")); // round and round
        desk.find(QStringLiteral("nothing"));
        QCOMPARE(desk.found(), QStringLiteral("not found"));
        QTest::keyClick(desk.child<QLineEdit>("codeSearch"), Qt::Key_Escape);
        QVERIFY(!desk.child<QLineEdit>("codeSearch")->isVisible());
    }

    void replacesOneAndAllInOneStep()
    {
        Desk desk;
        desk.find(QStringLiteral("mean"));
        QCOMPARE(desk.found(), QStringLiteral("1 of 3"));
        desk.child<QLineEdit>("codeReplace")->setText(QStringLiteral("größe"));
        desk.press(QStringLiteral("Replace"));
        QCOMPARE(desk.code->view().text(),
                 QString(kCode).replace(QStringLiteral("mean ="), QStringLiteral("größe =")));
        desk.press(QStringLiteral("All 2"));
        QCOMPARE(desk.code->view().text(),
                 QString(kCode).replace(QStringLiteral("mean"), QStringLiteral("größe")));
        QTest::keyClick(desk.code->view().focusProxy(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.code->view().text().count(QStringLiteral("mean")), 2);
    }

    // One edit, however many places: 9,000 of them took the window 11 s.
    void replacesThousandsAtOnce()
    {
        Desk desk;
        constexpr int kLines = 6'000;
        const QString line = QStringLiteral("mean = mean + größe\n");
        CodeView& view = *desk.peek();
        view.setText(line.repeated(kLines));
        desk.find(QStringLiteral("mean"));
        QCOMPARE(desk.found(), QStringLiteral("1 of more than 10000"));
        desk.child<QLineEdit>("codeReplace")->setText(QStringLiteral("größer"));
        const QSignalSpy told(&view, &CodeView::textChanged);
        const std::clock_t began = std::clock();
        desk.press(QStringLiteral("Replace all"));
        const double took = double(std::clock() - began) / CLOCKS_PER_SEC;
        QCOMPARE(view.text(),
                 QString(line).replace(QStringLiteral("mean"), QStringLiteral("größer")).repeated(kLines));
        QVERIFY2(told.count() <= 2, qPrintable(QString::number(told.count())));
        QVERIFY2(took < 0.1, qPrintable(QStringLiteral("%1 s of the processor").arg(took)));
        QTest::keyClick(desk.code->view().focusProxy(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(view.text(), line.repeated(kLines));
    }

    void marksStayInTheirLinesWhenManyPlacesAreReplaced()
    {
        CodeView view(CodeLanguage::Python);
        view.setText(kCode);
        view.setMarks({ { .line = 2, .message = QStringLiteral("wrong") },
                        { .line = 4, .message = QStringLiteral("wrong") } });
        view.resize(800, 400);
        view.show();
        const auto found = matched(view.text(), { QStringLiteral("df") });
        QStringList with;
        for (std::size_t i = 0; i < found.size(); ++i)
            with << QStringLiteral("a\nb");
        const std::vector<int> before{ 1, 3 }; // from 0
        const std::vector<int> after{ 2, 7 }; // behind one and four of them
        view.replace(found, with);
        QCOMPARE(view.linesOfMarks(), after);
        QTest::keyClick(view.focusProxy(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(view.text(), kCode);
        QCOMPARE(view.linesOfMarks(), before);
        QTest::keyClick(view.focusProxy(), Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(view.linesOfMarks(), after);
    }

    void matchesAsAsked_data()
    {
        QTest::addColumn<TextQuery>("query");
        QTest::addColumn<int>("count");
        QTest::newRow("any case") << TextQuery{ QStringLiteral("df") } << 3;
        QTest::newRow("case") << TextQuery{ QStringLiteral("df"), true } << 2;
        QTest::newRow("whole words") << TextQuery{ QStringLiteral("df"), false, true } << 2;
        QTest::newRow("pattern") << TextQuery{ QStringLiteral("d."), true, false, true } << 2;
        QTest::newRow("letters of patterns") << TextQuery{ QStringLiteral("d.") } << 0;
        QTest::newRow("bad pattern") << TextQuery{ QStringLiteral("("), false, false, true } << 0;
        QTest::newRow("empty") << TextQuery{} << 0;
    }
    void matchesAsAsked()
    {
        QFETCH(const TextQuery, query);
        QTEST(static_cast<int>(matched(QStringLiteral("df DF dfs"), query).size()), "count");
    }

    void tellsThatAPatternIsNone()
    {
        QVERIFY(
            !findMatches(QStringLiteral("x"), { QStringLiteral("("), false, false, true }).fault.isEmpty());
        const TextMatches many = findMatches(QString(20'000, QLatin1Char('x')), { QStringLiteral("x") });
        QVERIFY(many.isCut);
        QCOMPARE(static_cast<int>(many.all.size()), 10'000);
        const TextQuery query{ QStringLiteral("(\\w)=(\\w)"), false, false, true };
        const QString text = QStringLiteral("a=b");
        QCOMPARE(replacementsOf(text, { { 0, 3 } }, query, QStringLiteral("$2=$1")),
                 QStringList(QStringLiteral("b=a")));
    }

    void showsWhatNamesHold()
    {
        const auto values = trailingValues(
            kCode,
            { variable("df", "333 × 7", ""), variable("dropped", "", "11"), variable("mean", "", "4.5") });
        QString text;
        for (const auto& [line, value] : values)
            text += QStringLiteral("%1 %2; ").arg(line).arg(value);
        QCOMPARE(text, QStringLiteral("3 df 333 × 7, dropped 11; 5 mean 4.5; "));
    }

    void readsNoValuesIntoTexts()
    {
        const QString text = QStringLiteral("\"\"\"\nx = 1\n\"\"\"\nif x == 2:\n    f(x=3)\n");
        QVERIFY(trailingValues(text, { variable("x", "", "1") }).empty());
    }

    void valuesFollowTheSession()
    {
        Desk desk;
        auto* shown = desk.child<QPushButton>("codeValues");
        QVERIFY(!shown->isVisible());
        desk.editor.setSessionValues({ 11, { variable("df", "333 × 7", "") } });
        QVERIFY(shown->isVisible());
        QCOMPARE(shown->text(), QStringLiteral("Values of step 11"));
        const QImage with = desk.code->grab().toImage();
        shown->click();
        QVERIFY(desk.code->grab().toImage() != with);
    }

    void problemsStandBelowTheirLinesWithTheirVerbs()
    {
        Desk desk;
        graph::Problem problem;
        problem.severity = graph::Problem::Severity::Warning;
        problem.code = "undeclared-channel";
        problem.pointer = "/state/penguin";
        problem.message = "nodes/a.py:2: reads the channel 'penguin', which the graph does not have";
        desk.editor.setProblems({ problem });
        const auto rows = desk.code->findChildren<ProblemRow*>();
        QVERIFY(!rows.isEmpty());
        QVERIFY(rows.back()->accessibleName().contains(QStringLiteral("line 2")));
        QVERIFY(rows.back()->isVisible());
        const int before = rows.back()->y();
        QVERIFY(before > 0);
        QTest::keyClick(desk.code->view().focusProxy(), Qt::Key_Return); // above it
        QTRY_VERIFY(rows.back()->y() > before);
        desk.press(QStringLiteral("Add channel 'penguin'"));
        const auto& channels = desk.document.graph().channels;
        QVERIFY(std::ranges::find(channels, "penguin", &graph::Channel::name) != channels.end());
        desk.editor.setProblems({});
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(desk.code->findChildren<ProblemRow*>().isEmpty());
    }

    void offersWhatTheSessionKnows()
    {
        Desk desk;
        QSignalSpy asked(desk.code, &CodeDocument::namesWanted);
        QTest::keyClicks(desk.code->view().focusProxy(), QStringLiteral("df.m"));
        QVERIFY(!asked.isEmpty());
        QCOMPARE(asked.back().at(0).toString(), QStringLiteral("df.m"));
    }

    void typesAtSeveralCarets()
    {
        Desk desk;
        QWidget* text = desk.code->view().focusProxy();
        QTest::keyClick(text, Qt::Key_J, Qt::AltModifier); // the word at the caret
        QTest::keyClick(text, Qt::Key_J, Qt::AltModifier); // and the next one
        QTest::keyClicks(text, QStringLiteral("x"));
        QVERIFY2(desk.code->view().text().startsWith(QStringLiteral("x = ")),
                 qPrintable(desk.code->view().text()));
        QVERIFY2(desk.code->view().text().contains(QStringLiteral("mean = x.mean")),
                 qPrintable(desk.code->view().text()));
    }

    void asksForARunToItsNode()
    {
        Desk desk;
        QSignalSpy asked(desk.code, &CodeDocument::runToRequested);
        desk.press(QStringLiteral("Run to here"));
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.front().at(0).value<NodeId>().value, std::string("a"));
    }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        Desk desk;
        graph::Problem problem;
        problem.severity = graph::Problem::Severity::Error;
        problem.code = "undeclared-channel";
        problem.pointer = "/state/penguin";
        problem.message = "nodes/a.py:1: reads the channel 'penguin', which the graph does not have";
        desk.editor.setProblems({ problem });
        desk.editor.setSessionValues(
            { 11, { variable("df", "333 × 7", ""), variable("dropped", "", "11") } });
        desk.find(QStringLiteral("df"));
        sg::test::pictureOf(*desk.code, QStringLiteral("code-document-") + name);
    }
};

SG_WINDOW_TEST(TestCodeDocument)
#include "tst_code_document.moc"
