// From a model's server to the painted chat: words as they come, and the stored message after them.

#include "tests/core/net/scripted_http_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/window_style.h"
#include "tests/ui/chat/messages.h"
#include "ui/bridge/clients.h"
#include "ui/chat/chat_document.h"

#include <QTest>

using namespace sg;
using namespace sg::ui;
using sg::test::ScriptedHttpServer;

namespace {

std::string chunk(const std::string& data)
{
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", data.size());
    return size + data + "\r\n";
}

std::string said(const std::string& delta, const std::string& more = {})
{
    return chunk("data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":" + delta + more + "}]}\n\n");
}

} // namespace

class TestChatStream : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }

    void wordsComeBeforeTheMessageIsStored()
    {
        const std::string answer =
            "HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            + said("{\"content\":\"Hello \"}") + said("{\"content\":\"there\"}")
            + said("{}", ",\"finish_reason\":\"stop\"") + chunk("data: [DONE]\n\n") + "0\r\n\r\n";
        const ScriptedHttpServer server([&answer](const std::string&) { return answer; });
        sg::test::TempDir folder;
        folder.write("p/p.graph.json", sg::test::modelGraph(server.url("/v1")));
        Clients clients;
        ChatDocument chat(QStringLiteral("t"));
        chat.resize(800, 600);
        chat.show();
        std::vector<QString> seen;
        connect(&clients.chat, &ChatClient::piecesCame, &chat, [&](const std::vector<ChatPiece>& pieces) {
            chat.add(pieces);
            const ChatEntries& entries = chat.view().entries();
            seen.push_back(entries.at(entries.size() - 1).row.text);
        });
        connect(&clients.chat, &ChatClient::taskEnded, &chat,
                [&](const QString& thread, const QString& task) {
                    chat.view().endTask(task);
                    clients.chat.load(thread, {});
                });
        connect(&clients.chat, &ChatClient::loaded, &chat, [&](const ChatRows& rows) { chat.setRows(rows); });
        clients.project.open(QString::fromStdString((folder / "p").string()));
        QTRY_VERIFY_WITH_TIMEOUT(clients.project.isOpen(), 20'000);
        QString status;
        connect(&clients.runs, &RunsClient::runFinished, &chat,
                [&](const QString&, RunStatus end, const UserError& error) {
                    status = QString::fromStdString(runStatusName(end)) + error.what;
                    clients.chat.load(QStringLiteral("t"), {});
                });
        clients.runs.startRun(QStringLiteral("t"), QStringLiteral(R"({"messages": "Hi"})"));
        QTRY_COMPARE_WITH_TIMEOUT(status, QStringLiteral("done"), 20'000);
        QVERIFY(!seen.empty());
        QVERIFY2(seen.back() == QLatin1String("Hello there"), qPrintable(seen.back()));
        const ChatEntries& entries = chat.view().entries();
        QTRY_VERIFY_WITH_TIMEOUT(entries.size() == 2 && !entries.at(1).isLive, 20'000);
        QCOMPARE(entries.at(0).row.text, QStringLiteral("Hi"));
        QCOMPARE(entries.at(1).row.text, QStringLiteral("Hello there"));
        QCOMPARE(entries.at(1).row.node, QStringLiteral("model"));
        QVERIFY(!entries.at(1).row.checkpoint.isEmpty() && !qIsNaN(entries.at(1).row.seconds));
        QVERIFY(clients.chat.pieces(QStringLiteral("t")).empty());
    }
};

SG_WINDOW_TEST(TestChatStream)
#include "tst_chat_stream.moc"
