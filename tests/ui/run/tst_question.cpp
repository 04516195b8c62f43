// A person reads what an interrupt asks, and answers it.

#include "core/base/json.h"
#include "tests/support/qtry.h"
#include "tests/support/window_style.h"
#include "ui/run/interrupt_card.h"

#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

using namespace sg;
using namespace sg::ui;

class TestQuestion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isReadFrom_data()
    {
        QTest::addColumn<QByteArray>("asked");
        QTest::addColumn<QString>("headline");
        QTest::addColumn<QStringList>("details");
        QTest::addColumn<QStringList>("answers"); // "label=json"
        using Texts = std::initializer_list<const char*>;
        const auto row = [](const char* name, const char* asked, const char* headline, Texts details,
                            Texts answers) {
            const auto list = [](Texts texts) {
                QStringList out;
                for (const char* text : texts)
                    out << QString::fromLatin1(text);
                return out;
            };
            QTest::newRow(name) << QByteArray(asked) << QString::fromLatin1(headline) << list(details)
                                << list(answers);
        };
        row("text", "\"Go on?\"", "Go on?", {}, {});
        row("number", "7", "7", {}, {});
        row("nothing", "null", "null", {}, {});
        row("object", "{\"question\":\"Publish?\",\"draft\":\"x\",\"answers\":[\"yes\",\"no\"]}", "Publish?",
            { "draft: x" }, { "yes=\"yes\"", "no=\"no\"" });
        row("numbers", "{\"message\":\"How many?\",\"options\":[1,2.5,true]}", "How many?", {},
            { "1=1", "2.5=2.5", "true=true" });
        row("no headline", "{\"draft\":\"x\"}", "", { "draft: x" }, {});
        row("question that is no text", "{\"question\":[1]}", "", { "question: [\n  1\n]" }, {});
        row("two headlines", "{\"message\":\"b\",\"question\":\"a\"}", "b", { "question: a" }, {});
        row("answers that are no buttons", "{\"question\":\"?\",\"answers\":[{\"a\":1}]}", "?",
            { "answers: [\n  {\n    \"a\": 1\n  }\n]" }, {});
        row("a tool call", "{\"action_requests\":[{\"name\":\"mail\",\"args\":{\"to\":1}}]}", "Run mail?",
            { "tool: mail" },
            { "Approve={\"decisions\":[{\"type\":\"approve\"}]}",
              "Reject={\"decisions\":[{\"type\":\"reject\"}]}" });
        row("a tool call in LangChain's words",
            "{\"action_requests\":[{\"name\":\"mail\",\"args\":{\"to\":1},\"description\":\"Tool execution "
            "requires "
            "approval\\n\\nTool: mail\\nArgs: {'to': 1}\"}]}",
            "Run mail?", { "tool: mail" },
            { "Approve={\"decisions\":[{\"type\":\"approve\"}]}",
              "Reject={\"decisions\":[{\"type\":\"reject\"}]}" });
        row("a tool call in words of its own",
            "{\"action_requests\":[{\"name\":\"mail\",\"args\":{\"to\":1},\"description\":\"To a customer"
            "\\n\\nTool: mail\\nArgs: {'to': 1}\"}]}",
            "To a customer", { "tool: mail" },
            { "Approve={\"decisions\":[{\"type\":\"approve\"}]}",
              "Reject={\"decisions\":[{\"type\":\"reject\"}]}" });
        row("a tool call that must not be refused",
            "{\"action_requests\":[{\"name\":\"mail\",\"description\":\"Mail it\"}],"
            "\"review_configs\":[{\"allowed_decisions\":[\"approve\"]}]}",
            "Mail it", {}, { "Approve={\"decisions\":[{\"type\":\"approve\"}]}" });
        row("a human interrupt",
            "[{\"action_request\":{\"action\":\"mail\",\"args\":{}},\"config\":{\"allow_ignore\":false}}]",
            "Run mail?", { "tool: mail", "arguments: {}" },
            { "Approve=[{\"type\":\"accept\",\"args\":null}]" });
        row("an empty answer", "{\"question\":\"?\",\"choices\":[\" \"]}", "?", { "choices: [\n  \" \"\n]" },
            {});
    }
    void isAnsweredInItsForm()
    {
        const auto read = [](const char* text) { return question(*parseJson(text)); };
        const Question free = read("\"Go on?\"");
        QCOMPARE(typedAnswer(free, QStringLiteral("yes")), QStringLiteral("\"yes\""));
        QCOMPARE(typedAnswer(free, QStringLiteral("[1]")), QStringLiteral("[1]"));
        const Question tool = read("{\"action_requests\":[{\"name\":\"mail\",\"args\":{\"to\":1}}]}");
        QCOMPARE(typedAnswer(tool, QStringLiteral("not now")),
                 QStringLiteral("{\"decisions\":[{\"type\":\"reject\",\"message\":\"not now\"}]}"));
        QCOMPARE(
            editedAnswer(tool, *parseJson("{\"to\":2}")),
            QStringLiteral("{\"decisions\":[{\"type\":\"edit\",\"edited_action\":{\"name\":\"mail\",\"args\":"
                           "{\"to\":2}}}]}"));
        const Question human = read("[{\"action_request\":{\"action\":\"mail\",\"args\":{}}}]");
        QCOMPARE(typedAnswer(human, QStringLiteral("why?")),
                 QStringLiteral("[{\"type\":\"response\",\"args\":\"why?\"}]"));
        QCOMPARE(editedAnswer(human, *parseJson("{}")),
                 QStringLiteral("[{\"type\":\"edit\",\"args\":{\"action\":\"mail\",\"args\":{}}}]"));
    }

    void isReadFrom()
    {
        QFETCH(QByteArray, asked);
        const auto value = parseJson(asked.toStdString());
        QVERIFY(value);
        const Question read = question(*value);
        QTEST(read.headline, "headline");
        QTEST(read.details, "details");
        QStringList answers;
        for (const Question::Answer& each : read.answers)
            answers << each.label + QLatin1Char('=') + each.json;
        QTEST(answers, "answers");
    }

    void tooManyOrTooLongAnswersAreDetails()
    {
        const ValueList seven(7, Value("yes"));
        QVERIFY(question(Value(ValueMap{ { "answers", Value(seven) } })).answers.empty());
        const ValueList longOne{ Value(std::string(41, 'a')) };
        QVERIFY(question(Value(ValueMap{ { "answers", Value(longOne) } })).answers.empty());
    }

    void longTextsAreCut()
    {
        const Question read = question(Value(std::string(1'000'000, 'x')));
        QCOMPARE(read.headline.size(), 2000);
    }

    // The state of the thread is read again and again while a person types.
    void whatIsTypedStays()
    {
        InterruptCard card;
        const ValueList asks{ Value(ValueMap{ { "value", Value("Why?") }, { "id", Value("i1") } }) };
        card.setInterrupts(asks, QStringLiteral("alice/c4"));
        auto* answer = card.findChild<QLineEdit*>();
        answer->setText(QStringLiteral("because"));
        card.setInterrupts(asks, QStringLiteral("alice/c4"));
        QCOMPARE(answer->text(), QStringLiteral("because"));
        card.setInterrupts({}); // another step is looked at
        card.setInterrupts(asks, QStringLiteral("alice/c4"));
        QCOMPARE(answer->text(), QStringLiteral("because"));
        card.setInterrupts(asks, QStringLiteral("alice/c6")); // asked anew
        QCOMPARE(answer->text(), QString());
        answer->setText(QStringLiteral("so"));
        QTest::keyClick(answer, Qt::Key_Return);
        card.setInterrupts({}); // it runs
        card.setInterrupts(asks, QStringLiteral("alice/c6"));
        QCOMPARE(answer->text(), QString());
    }

    // Where the buttons leave the field no room for its words, it has a row of its own.
    void aNarrowCardGivesTheAnswerARow()
    {
        InterruptCard card;
        const Value call = Value::map({ { "name", "publish" }, { "args", Value::map({}) } });
        card.setQuestion(Value::map({ { "action_requests", Value::list({ call }) } }), {},
                         QStringLiteral("i1"));
        card.resize(320, 200);
        card.show();
        const auto* answer = card.findChild<QLineEdit*>();
        const QPushButton* reject = nullptr;
        for (const QPushButton* button : card.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Reject"))
                reject = button;
        QVERIFY(reject != nullptr);
        QTRY_VERIFY(answer->mapTo(&card, QPoint()).y() >= reject->mapTo(&card, QPoint()).y() + 10);
        card.resize(900, 200);
        QTRY_VERIFY(answer->mapTo(&card, QPoint()).y() < reject->mapTo(&card, QPoint()).y() + 10);
    }

    void aButtonAnswers()
    {
        InterruptCard card;
        QSignalSpy answered(&card, &InterruptCard::answered);
        card.setInterrupts({ Value(ValueMap{
            { "value",
              Value(ValueMap{ { "question", Value("Publish?") },
                              { "answers", Value(ValueList{ Value("R&D"), Value("no") }) } }) } }) });
        const auto buttons = card.findChildren<QPushButton*>();
        const auto named =
            std::ranges::find(buttons, QStringLiteral("Answer R&D"), &QPushButton::accessibleName);
        QVERIFY(named != buttons.end());
        QCOMPARE((*named)->text(), QStringLiteral("R&&D")); // no mnemonic
        (*named)->click();
        QCOMPARE(answered.count(), 1);
        QCOMPARE(answered.first().first().toString(), QStringLiteral("\"R&D\""));
    }
};

SG_WINDOW_TEST(TestQuestion)
#include "tst_question.moc"
