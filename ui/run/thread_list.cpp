#include "ui/run/thread_list.h"

#include "ui/run/thread_delegate.h"
#include "ui/run/thread_filter.h"
#include "ui/run/thread_model.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QActionGroup>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace sg::ui {

ThreadList::ThreadList(QWidget* parent)
    : QWidget(parent)
    , m_model(new ThreadModel(this))
    , m_filter(new ThreadFilter(this))
    , m_bar(new Strip(32, &Tokens::subtle, this))
    , m_view(new QListView(this))
    , m_empty(new EmptyState(QLatin1String("hourglass"), tr("Threads appear after the first run."), this))
    , m_nothingFound(new EmptyState(QLatin1String("search"), tr("No thread matches."), this))
    , m_stack(new QStackedLayout)
    , m_undo(new Strip(32, &Tokens::border, this, Strip::Line::Above))
{
    setAccessibleName(tr("Thread list"));
    m_filter->setSourceModel(m_model);
    m_view->setModel(m_filter);
    m_view->setItemDelegate(new ThreadDelegate(m_view));
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // rows are as wide as the list
    m_view->setAccessibleName(tr("Threads"));
    m_view->setObjectName(QStringLiteral("threadList"));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setUniformItemSizes(true);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->installEventFilter(this);
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_view);
    createBar();
    createUndo();
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_nothingFound);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addLayout(m_stack, 1);
    column->addWidget(m_undo);
    connect(m_empty->setButton(tr("Run (F5)")), &QPushButton::clicked, this, &ThreadList::runRequested);
    connect(m_nothingFound->setButton(tr("Clear search")), &QPushButton::clicked, this,
            [this] { m_search->setFilter({}); });
    connect(m_view, &QListView::customContextMenuRequested, this, &ThreadList::showMenu);
    connect(m_model, &ThreadModel::labelEdited, this, &ThreadList::labelEdited);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid())
                    Q_EMIT threadSelected(current.data(ThreadModel::ThreadRole).toString());
            });
    setCanRun(false);
    showPage();
}

void ThreadList::createBar()
{
    m_search = new FilterEdit(tr("Search, or status:failed"), FilterEdit::Sign::Search, m_bar);
    makeDense(m_search);
    m_search->setAccessibleName(tr("Search threads"));
    m_order = new QToolButton(m_bar);
    makeDense(m_order);
    m_order->setIcon(icon(QLatin1String("list")));
    m_order->setAutoRaise(true);
    m_order->setPopupMode(QToolButton::InstantPopup);
    m_order->setAccessibleName(tr("Order of the threads"));
    m_order->setToolTip(tr("Order of the threads"));
    auto* menu = new QMenu(m_order);
    auto* group = new QActionGroup(menu);
    const std::pair<QString, ThreadFilter::Order> known[] = {
        { tr("&Newest first"), ThreadFilter::Order::Newest },
        { tr("By n&ame"), ThreadFilter::Order::Name },
        { tr("&Most checkpoints first"), ThreadFilter::Order::Size },
        { tr("By &status"), ThreadFilter::Order::Status },
    };
    for (const auto& [name, order] : known) {
        QAction* action = menu->addAction(name);
        action->setCheckable(true);
        action->setChecked(order == ThreadFilter::Order::Newest);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, chosen = order] { m_filter->setOrder(chosen); });
    }
    m_order->setMenu(menu);
    auto* row = new QHBoxLayout(m_bar);
    row->setContentsMargins(8, 0, 4, 1);
    row->addWidget(m_search, 1);
    row->addWidget(m_order);
    connect(m_search, &FilterEdit::filterChanged, this, [this](const QString& text) {
        const QString shown = current().isEmpty() ? m_shown : current();
        {
            const QSignalBlocker quiet(m_view->selectionModel()); // searching shows no other thread
            m_filter->setSearch(text);
        }
        setCurrent(shown);
        showPage();
    });
}

void ThreadList::createUndo()
{
    m_undoWords = new ElidedLabel({}, m_undo);
    m_undoWords->setFont(uiFont(TextSize::Dense));
    auto* undo = new QPushButton(tr("Undo"), m_undo);
    undo->setAccessibleName(tr("Undo deleting")); // the tool bar has an Undo, too
    makeDense(undo);
    auto* row = new QHBoxLayout(m_undo);
    row->setContentsMargins(12, 1, 8, 0);
    row->addWidget(m_undoWords, 1);
    row->addWidget(undo);
    connect(undo, &QPushButton::clicked, this, &ThreadList::bringBack);
    m_undo->hide();
}

void ThreadList::showMenu(const QPoint& position)
{
    const QModelIndex index = m_view->indexAt(position);
    if (!index.isValid())
        return;
    QMenu menu(this);
    menu.addAction(tr("&Rename…"), QKeySequence(Qt::Key_F2), this, [this, index] { m_view->edit(index); });
    QAction* remove = menu.addAction(icon(QLatin1String("trash")), tr("&Delete"),
                                     QKeySequence(Qt::Key_Delete), this, &ThreadList::remove);
    remove->setEnabled(m_canDelete && status(current()) != QLatin1String("running"));
    menu.exec(m_view->viewport()->mapToGlobal(position));
}

// Before the view, which would search by these keys, and before the window's own shortcuts.
bool ThreadList::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (watched != m_view || !isKey)
        return QWidget::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const bool deletes = key->key() == Qt::Key_Delete && key->modifiers() == Qt::NoModifier;
    const bool undoes = key->matches(QKeySequence::Undo) && !m_deleted.isEmpty();
    if (!deletes && !undoes)
        return QWidget::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress) {
        if (deletes)
            remove();
        else
            bringBack();
    }
    return true;
}

void ThreadList::remove()
{
    const QString thread = current();
    if (thread.isEmpty() || !m_canDelete || status(thread) == QLatin1String("running"))
        return;
    const int row = m_view->currentIndex().row();
    m_deleted << thread;
    m_filter->setHidden(thread, true);
    showUndo();
    showPage();
    const int rows = m_filter->rowCount();
    if (rows > 0)
        m_view->setCurrentIndex(m_filter->index(std::min(row, rows - 1), 0));
    Q_EMIT deletedChanged();
}

void ThreadList::bringBack()
{
    if (m_deleted.isEmpty())
        return;
    const QString thread = m_deleted.takeLast();
    m_filter->setHidden(thread, false);
    showUndo();
    showPage();
    m_view->setCurrentIndex(m_filter->mapFromSource(m_model->indexOf(thread)));
    Q_EMIT deletedChanged();
}

// Whoever runs or imports a thread under that name wants it.
void ThreadList::keep(const QString& thread)
{
    if (m_deleted.removeAll(thread) == 0)
        return;
    m_filter->setHidden(thread, false);
    showUndo();
    showPage();
    setCurrent(m_shown);
    Q_EMIT deletedChanged();
}

void ThreadList::showUndo()
{
    m_undo->setVisible(!m_deleted.isEmpty());
    if (!m_deleted.isEmpty())
        m_undoWords->setFullText(tr("%1 is deleted").arg(label(m_deleted.back())));
}

void ThreadList::showPage()
{
    const bool isEmpty = m_model->rowCount() == static_cast<int>(m_deleted.size());
    m_bar->setVisible(!isEmpty);
    QWidget* page = isEmpty         ? static_cast<QWidget*>(m_empty)
        : m_filter->rowCount() == 0 ? m_nothingFound
                                    : static_cast<QWidget*>(m_view);
    m_stack->setCurrentWidget(page);
    for (QWidget* each : std::initializer_list<QWidget*>{ m_empty, m_nothingFound, m_view }) {
        // What is not seen asks for no room: a small window has little.
        const auto policy = each == page ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        each->setSizePolicy(policy, policy);
    }
}

QString ThreadList::current() const
{
    return m_view->currentIndex().data(ThreadModel::ThreadRole).toString();
}

void ThreadList::setThreads(const std::vector<ThreadRow>& rows)
{
    const QString shown = current();
    m_model->reset(rows);
    showPage();
    setCurrent(shown);
}

void ThreadList::setStatus(const QString& thread, const QString& status)
{
    m_model->setStatus(thread, status);
    showPage();
}

void ThreadList::setLabels(const NoteRows& notes)
{
    QHash<QString, QString> labels;
    for (auto note = notes.begin(); note != notes.end(); ++note)
        labels.insert(note.key(), note->label);
    m_model->setLabels(labels);
}

void ThreadList::setPaused(const QHash<QString, QString>& nodes)
{
    m_model->setPaused(nodes);
}

void ThreadList::setCurrent(const QString& thread)
{
    m_shown = thread;
    const QModelIndex index = m_filter->mapFromSource(m_model->indexOf(thread));
    const QSignalBlocker quiet(m_view->selectionModel());
    m_view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
    m_view->viewport()->update();
}

void ThreadList::setCanRun(bool canRun)
{
    m_empty->setButton(tr("Run (F5)"))->setEnabled(canRun);
}

void ThreadList::setCanDelete(bool canDelete)
{
    m_canDelete = canDelete;
}

void ThreadList::forgetDeleted()
{
    for (const QString& thread : std::as_const(m_deleted))
        m_filter->setHidden(thread, false);
    m_deleted.clear();
    m_undo->hide();
}

QList<QAction*> ThreadList::orderActions() const
{
    return m_order->menu()->actions();
}

QStringList ThreadList::threads() const
{
    QStringList names = m_model->threads();
    names.removeIf([this](const QString& thread) { return m_filter->isHidden(thread); });
    return names;
}

QString ThreadList::status(const QString& thread) const
{
    return m_model->status(thread);
}

QString ThreadList::label(const QString& thread) const
{
    const QModelIndex index = m_model->indexOf(thread);
    return index.isValid() ? index.data().toString() : thread;
}

} // namespace sg::ui
