// The form that a run asks with: what its fields mean, that form and JSON say the same, and when Run asks.

#include "core/base/json.h"
#include "tests/support/window_style.h"
#include "ui/run/input_editor.h"
#include "ui/run/input_field.h"
#include "ui/run/input_form.h"
#include "ui/run/run_bar.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolButton>

using namespace sg;
using namespace sg::ui;
using Type = InputFieldRow::Type;

namespace {

InputFieldRow field(const char* name, Type type, bool isDeclared = true)
{
    InputFieldRow row;
    row.channel = QLatin1String(name);
    row.type = type;
    row.isDeclared = isDeclared;
    return row;
}

std::vector<InputFieldRow> fields()
{
    InputFieldRow rows = field("max_rows", Type::Integer);
    rows.hasDefault = true;
    rows.defaultValue = Value(344);
    InputFieldRow messages = field("messages", Type::List);
    messages.collects = true;
    return { field("question", Type::Text),
             field("threshold", Type::Number),
             rows,
             field("send_mail", Type::Flag),
             messages,
             field("anything", Type::Any),
             field("summary", Type::Object, false) };
}

std::string compact(const InputEditor& editor)
{
    const auto value = parseJson(editor.json().toStdString());
    return value ? toJson(*value) : "";
}

} // namespace

class TestRunForm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString theme = sg::test::useTheme();
        QWidget window;
        window.show();
        InputEditor editor(&window);
        editor.setFields(fields());
        editor.setThread(QStringLiteral("alice"));
        editor.setLastInputs({ { 0, Value::map({ { "question", "Why?" }, { "threshold", 0.9 } }) } });
        editor.popUp({});
        editor.findChild<QLineEdit*>(QStringLiteral("input-threshold"))->setText(QStringLiteral("much"));
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(editor, QStringLiteral("run-form-") + theme)) > 8);
    }

    void aNewThreadIsOfferedTheGraphsExample()
    {
        QWidget window;
        window.show();
        InputEditor editor(&window);
        std::vector<InputFieldRow> rows = fields();
        rows.front().hasExample = true;
        rows.front().example = Value("Why?");
        editor.setFields(rows);
        editor.popUp({});
        QCOMPARE(compact(editor), std::string(R"({"question":"Why?"})"));
        editor.hide();
        editor.setJson({});
        editor.setLastInputs(
            { { 0, Value::map({ { "question", "And now?" } }) } }); // what it had goes before
        editor.popUp({});
        QCOMPARE(compact(editor), std::string(R"({"question":"And now?"})"));
    }

    void fieldsMean_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("json"); // "!": wrong; empty: nothing is given
        const auto row = [](const char* name, Type type, const char* text, const char* json) {
            QTest::newRow(name) << int(type) << QString::fromUtf8(text) << QString::fromUtf8(json);
        };
        row("empty text", Type::Text, "", "");
        row("a text that is a number", Type::Text, "5", "\"5\"");
        row("a number", Type::Number, " 0.5 ", "0.5");
        row("a whole number as number", Type::Number, "2", "2");
        row("no number", Type::Number, "two", "!");
        row("a whole number", Type::Integer, "12", "12");
        row("no whole number", Type::Integer, "1.5", "!");
        row("flag", Type::Flag, "true", "true");
        row("list", Type::List, "[1, 2]", "[1,2]");
        row("no list", Type::List, "1, 2", "!");
        row("object", Type::Object, "{\"a\": 1}", "{\"a\":1}");
        row("any number", Type::Any, "5", "5");
        row("any text", Type::Any, "five", "\"five\"");
        row("any quoted number", Type::Any, "\"5\"", "\"5\"");
        row("any that is cut off", Type::Any, "{\"a\": ", "\"{\\\"a\\\": \"");
    }
    void fieldsMean()
    {
        QFETCH(int, type);
        QFETCH(QString, text);
        QFETCH(QString, json);
        const auto value = inputValueOf(Type(type), text);
        if (json == QLatin1String("!")) {
            QVERIFY(!value);
            QVERIFY(!value.error().message.empty());
            return;
        }
        QVERIFY(value);
        QCOMPARE(value->has_value() ? QString::fromStdString(toJson(**value)) : QString(), json);
        if (value->has_value()) { // and back
            const auto again = inputValueOf(Type(type), inputTextOf(Type(type), **value));
            QVERIFY(again && again->has_value());
            QVERIFY(**again == **value);
        }
    }

    void formAndJsonSayTheSame()
    {
        QWidget window;
        window.show();
        InputEditor editor(&window);
        editor.setFields(fields());
        editor.popUp({});
        QTest::keyClicks(editor.findChild<QPlainTextEdit*>(QStringLiteral("input-question")),
                         QStringLiteral("Why?"));
        QTest::keyClicks(editor.findChild<QLineEdit*>(QStringLiteral("input-threshold")),
                         QStringLiteral("0.5"));
        QCOMPARE(compact(editor), std::string(R"({"question":"Why?","threshold":0.5})"));
        auto* tabs = editor.findChild<QTabBar*>();
        tabs->setCurrentIndex(1);
        editor.setJson(QStringLiteral(R"({"threshold": 1, "send_mail": false, "unknown": [1]})"));
        tabs->setCurrentIndex(0);
        QCOMPARE(editor.findChild<QLineEdit*>(QStringLiteral("input-threshold"))->text(),
                 QStringLiteral("1"));
        QVERIFY(editor.findChild<QPlainTextEdit*>(QStringLiteral("input-question"))->toPlainText().isEmpty());
        QCOMPARE(editor.findChild<QComboBox*>(QStringLiteral("input-send_mail"))->currentData().toString(),
                 QStringLiteral("false"));
        // A value that has no field is kept.
        QTest::keyClicks(editor.findChild<QLineEdit*>(QStringLiteral("input-max_rows")), QStringLiteral("7"));
        QCOMPARE(compact(editor),
                 std::string(R"({"threshold":1,"max_rows":7,"send_mail":false,"unknown":[1]})"));
    }

    void aFieldThatIsWrongHoldsTheRunBack()
    {
        QWidget window;
        window.show();
        InputEditor editor(&window);
        editor.setFields(fields());
        editor.popUp({});
        QSignalSpy run(&editor, &InputEditor::runRequested);
        auto* rows = editor.findChild<QLineEdit*>(QStringLiteral("input-max_rows"));
        QTest::keyClicks(rows, QStringLiteral("many"));
        QVERIFY(!editor.isValid());
        QCOMPARE(editor.problem(), QStringLiteral("1 field to correct"));
        QTest::keyClick(rows, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(run.count(), 0);
        rows->clear();
        QTest::keyClicks(rows, QStringLiteral("9"));
        QTest::keyClick(rows, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(run.count(), 1);
    }

    void beginsWithTheLastInput()
    {
        QWidget window;
        window.show();
        InputEditor editor(&window);
        editor.setFields(fields());
        editor.setLastInputs(
            { { 2, Value::map({ { "question", "new" } }) }, { 1, Value::map({ { "question", "old" } }) } });
        editor.popUp({});
        QCOMPARE(compact(editor), std::string(R"({"question":"new"})"));
        auto* last = editor.findChild<QToolButton*>(QStringLiteral("lastInputs"));
        Q_EMIT last->menu()->aboutToShow();
        QCOMPARE(last->menu()->actions().size(), 2);
        last->menu()->actions()[1]->trigger();
        QCOMPARE(compact(editor), std::string(R"({"question":"old"})"));
    }

    void showsFirstWhatTheGraphAsksFor()
    {
        QWidget window;
        window.show();
        InputEditor editor(&window);
        editor.setFields(fields());
        editor.popUp({});
        QVERIFY(!editor.findChild<QLineEdit*>(QStringLiteral("input-summary"))->isVisible());
        auto* more = editor.findChild<QToolButton*>(QStringLiteral("moreInputs"));
        QVERIFY(more->isVisible());
        more->click();
        QVERIFY(editor.findChild<QLineEdit*>(QStringLiteral("input-summary"))->isVisible());
    }

    void runAsksWhereTheGraphDoes()
    {
        RunBar bar;
        bar.setProject(QStringLiteral("p"));
        bar.setThread(QStringLiteral("t"));
        bar.show();
        QSignalSpy run(&bar, &RunBar::runRequested);
        bar.runAction()->trigger(); // no channel is asked for
        QCOMPARE(run.count(), 1);
        bar.setInputFields(fields());
        bar.runAction()->trigger();
        QCOMPARE(run.count(), 1);
        auto* editor = bar.findChild<InputEditor*>();
        QVERIFY(editor->isVisible());
        for (QPushButton* button : editor->findChildren<QPushButton*>())
            if (button->text().startsWith(QStringLiteral("Run")))
                button->click();
        QCOMPARE(run.count(), 2);
        bar.setInput(QStringLiteral("{\"question\": \"x\"}")); // by a macro
        bar.runAction()->trigger();
        QCOMPARE(run.count(), 3);
    }

    void aPausedThreadGoesOnWithoutAsking()
    {
        RunBar bar;
        bar.setProject(QStringLiteral("p"));
        bar.setThread(QStringLiteral("t"));
        bar.setInputFields(fields());
        bar.setResumable(true);
        bar.setPaused(QStringLiteral("publish"));
        bar.show();
        QSignalSpy resumes(&bar, &RunBar::resumeRequested);
        bar.runAction()->trigger();
        QCOMPARE(resumes.count(), 1);
        QVERIFY(!bar.findChild<InputEditor*>()->isVisible());
    }
};

SG_WINDOW_TEST(TestRunForm)
#include "tst_run_form.moc"
