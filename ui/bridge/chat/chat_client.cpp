#include "ui/bridge/chat/chat_client.h"

#include "ui/bridge/chat/chat_query.h"

namespace sg::ui {

ChatClient::ChatClient(OpenProject& project)
    : Client(project)
{
    const LiveEvents* live = &access().live();
    connect(live, &LiveEvents::piecesCame, this, &ChatClient::take);
    connect(live, &LiveEvents::tasksEnded, this, [this](const QString& thread, const QStringList& tasks) {
        for (const QString& task : tasks)
            end(thread, task);
    });
    connect(live, &LiveEvents::runFinished, this, [this](const QString& thread) { m_begun.remove(thread); });
    connect(&project, &OpenProject::closing, this, [this] {
        m_begun.clear();
        m_book.reset();
        m_questions.clear();
    });
}

void ChatClient::load(const QString& thread, const QString& checkpoint)
{
    if (!isOpen() || thread.isEmpty())
        return;
    const auto& workbench = access().workbench();
    if (!m_book)
        m_book = std::make_shared<ChatBook>(workbench->history(), workbench->project().checkpoints);
    auto& question = m_questions[thread];
    if (!question)
        question = std::make_unique<Latest>(*this);
    question->ask(
        readers(),
        [book = m_book, usage = access().usage(), thread, checkpoint](workbench::Workbench&,
                                                                      const std::stop_token& stop) {
            return book->read(*usage, thread, checkpoint, stop);
        },
        [this](const ChatRows& rows) { Q_EMIT loaded(rows); });
}

std::vector<ChatPiece> ChatClient::pieces(const QString& thread) const
{
    std::vector<ChatPiece> begun;
    for (const ChatPiece& piece : m_begun.value(thread))
        begun.push_back(piece);
    return begun;
}

void ChatClient::take(const std::vector<ChatPiece>& pieces)
{
    for (const ChatPiece& piece : pieces) {
        ChatPiece& begun = m_begun[piece.thread][piece.task];
        begun.thread = piece.thread;
        begun.task = piece.task;
        begun.node = piece.node;
        begun.text += piece.text;
        begun.reasoning += piece.reasoning;
        if (!piece.call.isEmpty()) {
            begun.call = piece.call;
            begun.arguments.clear();
        }
        begun.arguments += piece.arguments;
    }
    Q_EMIT piecesCame(pieces);
}

void ChatClient::end(const QString& thread, const QString& task)
{
    if (const auto of = m_begun.find(thread); of != m_begun.end() && of->remove(task))
        Q_EMIT taskEnded(thread, task);
}

} // namespace sg::ui
