#include "ui/run/answer_queue.h"

#include <QTimer>

namespace sg::ui {

AnswerQueue::AnswerQueue(QObject* parent)
    : QObject(parent)
    , m_soon(new QTimer(this))
{
    m_soon->setSingleShot(true);
    m_soon->setInterval(0);
    connect(m_soon, &QTimer::timeout, this, &AnswerQueue::flush);
}

void AnswerQueue::give(const QString& thread, const QString& interrupt, const QString& json)
{
    m_kept[thread].insert(interrupt, json);
    m_soon->start();
}

void AnswerQueue::noteStarted(const QString& thread)
{
    m_busy.insert(thread);
    m_running.insert(thread);
}

void AnswerQueue::noteEnded(const QString& thread, RunStatus status)
{
    m_busy.remove(thread);
    m_running.remove(thread);
    m_sent.remove(thread);
    if (status != RunStatus::Done && status != RunStatus::Interrupted)
        giveBack(thread, m_kept.take(thread));
    else if (m_kept.contains(thread))
        m_soon->start();
    Q_EMIT changed();
}

void AnswerQueue::noteRefused(const QString& thread)
{
    if (m_running.contains(thread) || !m_busy.remove(thread))
        return;
    Answers answers = m_sent.take(thread);
    answers.insert(m_kept.take(thread));
    giveBack(thread, answers);
    Q_EMIT changed();
}

void AnswerQueue::giveBack(const QString& thread, const Answers& answers)
{
    if (!answers.isEmpty())
        Q_EMIT givenBack(thread, static_cast<int>(answers.size()));
}

void AnswerQueue::clear()
{
    m_kept.clear();
    m_sent.clear();
    m_busy.clear();
    m_running.clear();
    Q_EMIT changed();
}

QSet<QString> AnswerQueue::given() const
{
    QSet<QString> keys;
    for (const auto* answers : { &m_kept, &m_sent })
        for (auto thread = answers->begin(); thread != answers->end(); ++thread)
            for (auto each = thread->begin(); each != thread->end(); ++each)
                keys.insert(thread.key() + QLatin1Char('/') + each.key());
    return keys;
}

void AnswerQueue::flush()
{
    const QStringList threads = m_kept.keys();
    for (const QString& thread : threads) {
        if (m_busy.contains(thread))
            continue;
        m_busy.insert(thread); // until its run starts, ends or is refused
        m_sent.insert(thread, m_kept.take(thread));
        Q_EMIT ready(thread, m_sent.value(thread));
    }
    Q_EMIT changed();
}

} // namespace sg::ui
