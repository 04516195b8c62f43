#include "ui/shell/parts/bookmarks.h"

#include "ui/bridge/clients.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/thread_list.h"
#include "ui/selection/selection.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>

namespace sg::ui {

Bookmarks::Bookmarks(const WindowParts& parts, InboxPanel& inbox)
    : WindowPart(parts)
    , m_inbox(&inbox)
{
    m_bookmark = new QAction(icon(QLatin1String("bookmark")), tr("&Bookmark with a note…"), m_window);
    m_bookmark->setShortcut(QKeySequence(QStringLiteral("Ctrl+B")));
    connect(m_bookmark, &QAction::triggered, this, &Bookmarks::editBookmark);
    connect(&m_clients->history, &HistoryClient::notesLoaded, this, [this](const NoteRows& notes) {
        m_notes = notes;
        m_threads->setLabels(notes);
        m_inbox->setLabels(notes);
        show();
    });
    connect(m_threads, &ThreadList::labelEdited, &m_clients->history, &HistoryClient::setLabel);
}

void Bookmarks::show()
{
    m_timeline->setBookmarks(m_notes.value(m_selection->thread()).bookmarks);
}

void Bookmarks::fill(QMenu& menu)
{
    menu.clear();
    const QHash<QString, QString> marks = m_notes.value(m_selection->thread()).bookmarks;
    QStringList ids = marks.keys();
    ids.sort(); // checkpoints' ids sort by time
    for (const QString& id : std::as_const(ids)) {
        const auto plain = [](QString words) { return words.replace(QLatin1Char('&'), QLatin1String("&&")); };
        const QString place = plain(m_timeline->label(id));
        const QString note = plain(marks.value(id));
        QAction* action = menu.addAction(note.isEmpty() ? place : note + QLatin1Char('\t') + place, this,
                                         [this, id] { goTo(id); });
        action->setEnabled(!place.isEmpty());
    }
    if (ids.isEmpty())
        menu.addAction(tr("No bookmarks in this thread"))->setEnabled(false);
}

void Bookmarks::editBookmark()
{
    const QString thread = m_selection->thread();
    const QString checkpoint = m_timeline->current();
    if (checkpoint.isEmpty())
        return;
    const QHash<QString, QString> marks = m_notes.value(thread).bookmarks;
    auto* ask = new QInputDialog(m_window);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setWindowTitle(tr("Bookmark"));
    ask->setLabelText(marks.contains(checkpoint)
                          ? tr("Note for %1. Empty removes the bookmark.").arg(m_timeline->label(checkpoint))
                          : tr("Note for %1").arg(m_timeline->label(checkpoint)));
    ask->setTextValue(marks.value(checkpoint));
    connect(ask, &QInputDialog::textValueSelected, this,
            [this, thread, checkpoint, had = marks.contains(checkpoint)](const QString& text) {
                const QString note = text.simplified();
                m_clients->history.setBookmark(thread, checkpoint,
                                               had && note.isEmpty() ? std::nullopt : std::optional(note));
            });
    ask->open();
}

} // namespace sg::ui
