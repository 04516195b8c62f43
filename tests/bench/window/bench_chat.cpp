// bench-chat [tokens | long] measures chats: words of models on eight threads at once, from a server's socket
// to the painted window, and a thread with 10,000 messages. Offscreen, without a GPU.

#include "tests/bench/figure_lines.h"
#include "tests/support/window_style.h"
#include "ui/bridge/clients.h"
#include "ui/chat/chat_document.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>

namespace sg::bench {
namespace {

using namespace ui;

constexpr int kThreads = 8;
constexpr int kTokens = 1200; // a thread
constexpr auto kPause = std::chrono::microseconds(5000); // 200 a second
constexpr int kMessages = 10'000;

qint64 nowNs()
{
    return steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

// A model's server: each word that it says is the time at which it says it.
class TalkingServer {
public:
    TalkingServer()
        : m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(m_listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
            || ::listen(m_listener, 16) != 0
            || ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            std::abort();
        m_port = ntohs(address.sin_port);
        m_accepting = std::thread([this] {
            for (int i = 0; i < kThreads; ++i) {
                const int socket = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
                if (socket < 0)
                    return;
                m_talking.emplace_back([this, socket] { talk(socket); });
            }
        });
    }
    ~TalkingServer()
    {
        ::shutdown(m_listener, SHUT_RDWR);
        m_accepting.join();
        for (std::thread& one : m_talking)
            one.join();
        ::close(m_listener);
    }
    [[nodiscard]] int port() const { return m_port; }

private:
    static bool send(int socket, const std::string& text)
    {
        return ::send(socket, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
    }
    static bool say(int socket, const std::string& delta)
    {
        const std::string event =
            "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{" + delta + "}}]}\n\n";
        char size[16];
        std::snprintf(size, sizeof size, "%zx\r\n", event.size());
        return send(socket, size + event + "\r\n");
    }
    void talk(int socket)
    {
        char request[65536];
        (void)!::recv(socket, request, sizeof request, 0);
        // All begin together.
        ++m_ready;
        while (m_ready < kThreads)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        send(socket,
             "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
        auto next = steady_clock::now() + std::chrono::microseconds(617 * m_ready.fetch_add(1));
        for (int i = 0; i < kTokens; ++i) {
            std::this_thread::sleep_until(next += kPause);
            // Sentences and paragraphs, as models write them.
            const std::string end = i % 60 == 59 ? "\\n\\n" : i % 12 == 11 ? ". " : " ";
            if (!say(socket, "\"content\":\"@" + std::to_string(nowNs()) + end + '"'))
                break;
        }
        say(socket, "}, \"finish_reason\": \"stop\", \"x\": {");
        send(socket, "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n");
        ::close(socket);
    }

    int m_listener;
    int m_port = 0;
    std::atomic_int m_ready = 0;
    std::thread m_accepting;
    std::vector<std::thread> m_talking;
};

// Knows of each chat which words are painted.
class Reader : public QObject {
public:
    Reader(ChatDocument& chat, std::vector<double>& ages)
        : m_chat(chat)
        , m_ages(ages)
    {
        connect(&chat.view(), &ChatView::painted, this, &Reader::look);
    }

private:
    void look()
    {
        const ChatEntries& entries = m_chat.view().entries();
        const qint64 now = nowNs();
        if (entries.size() == 0 || !entries.at(entries.size() - 1).isLive)
            return;
        const QString& text = entries.at(entries.size() - 1).row.text;
        while (true) {
            const qsizetype at = text.indexOf(QLatin1Char('@'), m_read);
            const qsizetype end = at < 0 ? -1 : text.indexOf(QLatin1Char(' '), at);
            const qsizetype line = at < 0 ? -1 : text.indexOf(QLatin1Char('\n'), at);
            const qsizetype stop = end < 0 ? line : line < 0 ? end : std::min(end, line);
            if (stop < 0)
                return;
            QString digits = text.mid(at + 1, stop - at - 1);
            digits.remove(QLatin1Char('.'));
            m_ages.push_back(static_cast<double>(now - digits.toLongLong()) / 1e6);
            m_read = stop;
        }
    }
    ChatDocument& m_chat;
    std::vector<double>& m_ages;
    qsizetype m_read = 0;
};

void tokens(int shown, const std::string& id)
{
    TalkingServer server;
    const QTemporaryDir folder;
    QFile graph(folder.filePath(QStringLiteral("t.graph.json")));
    static_cast<void>(graph.open(QIODevice::WriteOnly));
    graph.write(QStringLiteral(
                    R"({"format":1,"name":"t","state":{"messages":{"type":"reduce","reducer":"add_messages"}},
        "nodes":[{"name":"model","kind":"llm","model":"m","base_url":"http://127.0.0.1:%1/v1"}],
        "edges":[["__start__","model"]]})")
                    .arg(server.port())
                    .toUtf8());
    graph.close();
    Clients clients;
    QWidget window;
    window.resize(1600, 1000);
    std::vector<double> ages;
    std::vector<std::unique_ptr<Reader>> readers;
    std::vector<ChatDocument*> chats;
    for (int i = 0; i < shown; ++i) {
        auto* chat = new ChatDocument(QStringLiteral("thread%1").arg(i), &window);
        if (shown == 1)
            chat->setGeometry(0, 0, 1000, 800);
        else
            chat->setGeometry(i % 4 * 400, i / 4 * 500, 400, 500);
        readers.push_back(std::make_unique<Reader>(*chat, ages));
        chats.push_back(chat);
    }
    QObject::connect(&clients.chat, &ChatClient::piecesCame, &window,
                     [&](const std::vector<ChatPiece>& pieces) {
                         for (ChatDocument* chat : chats)
                             chat->add(pieces);
                     });
    int ended = 0;
    UserError wrong;
    QObject::connect(&clients.runs, &RunsClient::runFinished, &window,
                     [&](const QString&, RunStatus, const UserError& error) {
                         ++ended;
                         if (!error.what.isEmpty())
                             wrong = error;
                     });
    QObject::connect(&clients.runs, &RunsClient::runRefused, &window,
                     [&](const QString&, const UserError& error) {
                         ++ended;
                         wrong = error;
                     });
    window.show();
    clients.project.open(folder.path());
    if (!QTest::qWaitFor([&] { return clients.project.isOpen(); }, 20'000))
        return printFailed(id, "the project does not open");
    for (int i = 0; i < kThreads; ++i)
        clients.runs.startRun(QStringLiteral("thread%1").arg(i), QStringLiteral(R"({"messages": "talk"})"));
    if (!QTest::qWaitFor([&] { return ended == kThreads; }, 60'000) || !wrong.what.isEmpty())
        return printFailed(id, "the runs did not end well: " + wrong.what.toStdString());
    if (ages.size() < static_cast<std::size_t>(shown * kTokens * 9 / 10))
        return printFailed(id, "only " + std::to_string(ages.size()) + " words were seen");
    printFigure(id, quantile(ages, 0.95));
    printFigure(id + "_median", median(ages));
}

void longThread()
{
    ChatRows rows;
    rows.thread = QStringLiteral("long");
    for (int i = 0; i < kMessages; ++i) {
        ChatRow row;
        row.key = QStringLiteral("id:%1").arg(i);
        row.role = i % 2 == 0 ? ChatRow::Role::Person : ChatRow::Role::Agent;
        row.text =
            QStringLiteral("Message %1. **Bold**, `code` and a list:\n\n- one\n- two\n\n%2")
                .arg(i)
                .arg(QStringLiteral("Words that fill a line or more of the window. ").repeated(1 + i % 9));
        row.json = row.text;
        rows.rows.push_back(std::move(row));
    }
    ChatDocument chat(rows.thread);
    chat.resize(1100, 800);
    chat.show();
    const auto timed = [](const std::function<void()>& work) {
        const auto begin = steady_clock::now();
        work();
        return millisecondsSince(begin);
    };
    printFigure("window.chat.long.open", timed([&] {
                    chat.setRows(rows);
                    chat.grab();
                }));
    std::vector<double> frames;
    QScrollBar* bar = chat.view().verticalScrollBar();
    for (int i = 0; i < 400; ++i)
        frames.push_back(timed([&] {
            bar->setValue(i % 40 == 0 ? (bar->maximum() / 400) * i : bar->value() + 37);
            chat.view().grab();
        }));
    printFigure("window.chat.long.scroll", quantile(frames, 0.95));
    rows.rows.push_back(rows.rows.front());
    rows.rows.back().key = QStringLiteral("id:new");
    printFigure("window.chat.long.append", timed([&] {
                    chat.setRows(rows);
                    chat.grab();
                }));
    printFigure("window.chat.long.find", timed([&] { chat.view().find(QStringLiteral("message 9999")); }));
}

} // namespace
} // namespace sg::bench

int main(int argc, char** argv)
{
    const sg::test::WindowEnvironment environment;
    QApplication application(argc, argv);
    sg::test::useStyle();
    sg::ui::applyTheme(application, sg::ui::Theme::Light);
    const QStringList only = QApplication::arguments().mid(1);
    const auto wants = [&only](const char* part) {
        return only.isEmpty() || only.contains(QLatin1String(part));
    };
    if (wants("tokens")) {
        sg::bench::tokens(1, "window.chat.token.one");
        sg::bench::tokens(sg::bench::kThreads, "window.chat.token.eight");
    }
    if (wants("long"))
        sg::bench::longThread();
    return 0;
}
