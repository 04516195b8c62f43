#include "ui/shell/parts/bookmarks.h"

#include "ui/bridge/clients.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>

namespace sg::ui {

Bookmarks::Bookmarks(const WindowParts& parts)
    : WindowPart(parts)
{
    m_bookmark = new QAction(icon(QLatin1String("bookmark")), tr("&Bookmark with a note…"), m_window);
    m_bookmark->setShortcut(QKeySequence(QStringLiteral("Ctrl+B")));
    connect(m_bookmark, &QAction::triggered, this, &Bookmarks::editBookmark);
    const auto update = [this] { m_bookmark->setEnabled(!m_history->isAwaiting()); }; // else the head gets it
    connect(m_history, &ShownHistory::currentChanged, this, update);
    connect(m_history, &ShownHistory::changed, this, [update](const HistoryChange& change) {
        if (!change.isLive())
            update();
    });
}

void Bookmarks::fill(QMenu& menu)
{
    menu.clear();
    const QHash<QString, QString> marks = m_book->bookmarks(m_selection->thread());
    QStringList ids = marks.keys();
    ids.sort(); // checkpoints' ids sort by time
    for (const QString& id : std::as_const(ids)) {
        const auto plain = [](QString words) { return words.replace(QLatin1Char('&'), QLatin1String("&&")); };
        const QString place = plain(m_history->label(id));
        const QString note = plain(marks.value(id));
        QAction* action = menu.addAction(note.isEmpty() ? place : note + QLatin1Char('\t') + place, this,
                                         [this, id] { m_history->goTo(id); });
        action->setEnabled(!place.isEmpty());
    }
    if (ids.isEmpty())
        menu.addAction(tr("No bookmarks in this thread"))->setEnabled(false);
}

void Bookmarks::editBookmark()
{
    const QString thread = m_selection->thread();
    const QString checkpoint = m_history->current();
    if (checkpoint.isEmpty())
        return;
    const QHash<QString, QString> marks = m_book->bookmarks(thread);
    auto* ask = new QInputDialog(m_window);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setWindowTitle(tr("Bookmark"));
    ask->setLabelText(marks.contains(checkpoint)
                          ? tr("Note for %1. Empty removes the bookmark.").arg(m_history->label(checkpoint))
                          : tr("Note for %1").arg(m_history->label(checkpoint)));
    ask->setTextValue(marks.value(checkpoint));
    connect(ask, &QInputDialog::textValueSelected, this,
            [this, thread, checkpoint, had = marks.contains(checkpoint)](const QString& text) {
                const QString note = text.simplified();
                m_clients->notes.setBookmark(thread, checkpoint,
                                             had && note.isEmpty() ? std::nullopt : std::optional(note));
            });
    ask->open();
}

} // namespace sg::ui
