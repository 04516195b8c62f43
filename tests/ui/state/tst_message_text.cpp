// Messages of LangChain and of OpenAI's API, as people read them.

#include "core/base/json.h"
#include "tests/support/window_style.h"
#include "ui/state/message_text.h"
#include "ui/state/message_view.h"

using namespace sg;
using namespace sg::ui;

namespace {

QString told(const char* state, std::size_t most = 100)
{
    const Messages messages = messagesOf(*parseJson(state), most);
    QStringList lines;
    for (const MessageRow& row : messages.rows) {
        QString line = row.role + QLatin1Char(':') + row.text;
        for (const ToolCall& call : row.calls)
            line += QStringLiteral(" %1#%2%3").arg(call.name, call.id, call.arguments.simplified());
        if (!row.answers.isEmpty())
            line += QStringLiteral(" ->") + row.answers;
        lines << line + (row.hasFailed ? QStringLiteral(" failed") : QString());
    }
    return QStringLiteral("%1+%2 ").arg(messages.channel).arg(messages.left)
        + lines.join(QStringLiteral(" | "));
}

} // namespace

class TestMessageText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void reads_data()
    {
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QString>("told");
        QTest::newRow("LangChain") << QByteArray(
            "{\"n\":1,\"messages\":[{\"type\":\"human\",\"content\":\"Hi\"},{\"type\":\"ai\",\"content\":"
            "\"\","
            "\"tool_calls\":[{\"name\":\"add\",\"args\":{\"a\":1},\"id\":\"c1\"}]},"
            "{\"type\":\"tool\",\"content\":\"no\",\"tool_call_id\":\"c1\",\"status\":\"error\"}]}")
                                   << "messages+0 human:Hi | ai: add#c1{ \"a\": 1 } | tool:no ->c1 failed";
        QTest::newRow("OpenAI") << QByteArray(
            "{\"chat\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"x\",\"function\":"
            "{\"name\":\"add\",\"arguments\":\"{\\\"a\\\":1}\"}}]}]}")
                                << "chat+0 assistant: add#x{ \"a\": 1 }";
        QTest::newRow("parts") << QByteArray(
            "{\"m\":[{\"type\":\"human\",\"content\":[{\"type\":\"text\",\"text\":\"See\"},"
            "{\"type\":\"image\",\"data\":\"AAAA\"},{\"type\":\"tool_use\"}]}]}")
                               << "m+0 human:See\n[image, 30\u00a0B]";
        QTest::newRow("none") << QByteArray("{\"list\":[1,2],\"empty\":[]}") << "+0 ";
        QTest::newRow("hostile") << QByteArray(
            "{\"m\":[{\"type\":\"ai\",\"content\":{\"a\":[1]},\"tool_calls\":7},5]}")
                                 << "+0 ";
    }
    void reads()
    {
        QFETCH(QByteArray, state);
        const QString found = told(state.constData());
        QTEST(found, "told");
    }

    void tellsTheNewest()
    {
        QCOMPARE(told("{\"m\":[{\"type\":\"ai\",\"content\":\"1\"},{\"type\":\"ai\",\"content\":\"2\"}]}", 1),
                 QStringLiteral("m+1 ai:2"));
    }

    void markupStaysText()
    {
        MessageView view(nullptr);
        view.setState(*parseJson("{\"m\":[{\"type\":\"ai\",\"content\":\"<img "
                                 "src='file:///etc/passwd'><b>x</b>\\nsecond line\"}]}"));
        QVERIFY(view.toPlainText().contains(QStringLiteral("<img src='file:///etc/passwd'><b>x</b>")));
        view.setState(Value::map());
        QVERIFY(view.toPlainText().contains(QStringLiteral("No channel")));
    }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        MessageView view(nullptr);
        view.resize(420, 460);
        view.show();
        view.setState(*parseJson(
            "{\"messages\":[{\"type\":\"human\",\"content\":\"How does body mass differ between the "
            "species?\"},"
            "{\"type\":\"ai\",\"name\":\"analyst\",\"content\":\"I compare the means by species and "
            "sex.\",\"tool_calls\":"
            "[{\"name\":\"code_sandbox\",\"args\":{\"code\":\"print(df.round(1))\"},\"id\":\"call_7f2a\"}]},"
            "{\"type\":\"tool\",\"name\":\"code_sandbox\",\"content\":\"Adelie  3368.8\\nGentoo  "
            "4679.7\",\"tool_call_id\":\"call_7f2a\"},"
            "{\"type\":\"tool\",\"content\":\"No such "
            "file\",\"tool_call_id\":\"call_7f30\",\"status\":\"error\"}]}"));
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(view, QStringLiteral("messages-") + name)) > 8);
    }
};

SG_WINDOW_TEST(TestMessageText)
#include "tst_message_text.moc"
