#include "ui/run/thread_list.h"

#include "ui/bridge/clients.h"
#include "ui/run/thread_delegate.h"
#include "ui/run/thread_filter.h"
#include "ui/run/thread_model.h"
#include "ui/selection/panel_parts.h"
#include "ui/selection/selection.h"
#include "ui/selection/thread_book.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/error_cover.h"
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
namespace {

constexpr int kLeastHeight = 110;

} // namespace

ThreadList::ThreadList(ThreadBook& book, QWidget* parent)
    : QWidget(parent)
    , m_book(book)
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
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // rows have the width of the list
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
    connect(m_model, &ThreadModel::labelEdited, &m_book, &ThreadBook::setLabel);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                if (!current.isValid())
                    return;
                m_shown = current.data(ThreadModel::ThreadRole).toString();
                Q_EMIT threadSelected(m_shown);
            });
    setCanRun(false);
    followBook();
    showPage();
}

ThreadList::ThreadList(const PanelParts& parts, QWidget* parent)
    : ThreadList(parts.book, parent)
{
    HistoryClient* client = &parts.clients.history;
    auto* cover = new ErrorCover(*this);
    connect(cover, &ErrorCover::readAgain, client, &HistoryClient::refreshThreads);
    connect(client, &HistoryClient::threadsFailed, cover, [cover](const UserError& error) {
        cover->showError(tr("The threads cannot be read."), error.what);
    });
    connect(client, &HistoryClient::threadsLoaded, cover, &QWidget::hide);
    connect(&parts.clients.project, &OpenProject::closing, cover, &QWidget::hide);
    connect(this, &ThreadList::threadSelected, &parts.selection, &Selection::setThread);
    connect(&parts.selection, &Selection::threadChanged, this, &ThreadList::setCurrent);
    connect(&parts.book, &ThreadBook::listed, this,
            [this, selection = &parts.selection, project = &parts.clients.project] {
                setCanDelete(!project->info().isReadOnly);
                if (!selection->thread().isEmpty())
                    setCurrent(selection->thread());
            });
}

void ThreadList::followBook()
{
    connect(&m_book, &ThreadBook::listed, this, &ThreadList::showThreads);
    connect(&m_book, &ThreadBook::statusChanged, this, [this](const QString& thread) {
        m_model->setStatus(thread, m_book.status(thread));
        showPage();
    });
    connect(&m_book, &ThreadBook::notesChanged, this, [this] {
        QHash<QString, QString> labels;
        for (auto note = m_book.notes().begin(); note != m_book.notes().end(); ++note)
            labels.insert(note.key(), note->label);
        m_model->setLabels(labels);
    });
    connect(&m_book, &ThreadBook::pausedChanged, this, [this] { m_model->setPaused(m_book.paused()); });
    connect(&m_book, &ThreadBook::deletedChanged, this, &ThreadList::showDeleted);
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
            const QSignalBlocker quiet(m_view->selectionModel()); // a search must not show another thread
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
    undo->setAccessibleName(tr("Undo deleting")); // differs from the tool bar's Undo
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
    menu.addActions(m_verbs);
    menu.addAction(tr("&Rename…"), QKeySequence(Qt::Key_F2), this, [this, index] { m_view->edit(index); });
    QAction* remove = menu.addAction(icon(QLatin1String("trash")), tr("&Delete"),
                                     QKeySequence(Qt::Key_Delete), this, &ThreadList::remove);
    remove->setEnabled(m_canDelete && !m_book.isRunning(current()));
    menu.exec(m_view->viewport()->mapToGlobal(position));
}

// Handles these keys before the view, which would search by them, and before the window's shortcuts.
bool ThreadList::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (watched != m_view || !isKey)
        return QWidget::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const bool deletes = key->key() == Qt::Key_Delete && key->modifiers() == Qt::NoModifier;
    const bool undoes = key->matches(QKeySequence::Undo) && !m_book.deleted().isEmpty();
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
    if (thread.isEmpty() || !m_canDelete || m_book.isRunning(thread))
        return;
    const int row = m_view->currentIndex().row();
    m_book.remove(thread);
    const int rows = m_filter->rowCount();
    if (rows > 0)
        m_view->setCurrentIndex(m_filter->index(std::min(row, rows - 1), 0));
}

void ThreadList::bringBack()
{
    const QString thread = m_book.bringBack();
    if (!thread.isEmpty())
        m_view->setCurrentIndex(m_filter->mapFromSource(m_model->indexOf(thread)));
}

void ThreadList::showDeleted()
{
    const bool isBack = m_filter->isHidden(m_shown) && !m_book.deleted().contains(m_shown);
    m_filter->setHidden(m_book.deleted());
    showUndo();
    showPage();
    if (isBack)
        setCurrent(m_shown);
}

void ThreadList::showUndo()
{
    m_undo->setVisible(!m_book.deleted().isEmpty());
    if (!m_book.deleted().isEmpty())
        m_undoWords->setFullText(tr("%1 is deleted").arg(m_book.label(m_book.deleted().back())));
}

QSize ThreadList::minimumSizeHint() const
{
    const QSize least = QWidget::minimumSizeHint();
    return { least.width(), std::max(least.height(), scaledLength(kLeastHeight)) };
}

void ThreadList::showPage()
{
    const bool isEmpty = m_model->rowCount() == static_cast<int>(m_book.deleted().size());
    m_bar->setVisible(!isEmpty);
    QWidget* page = isEmpty         ? static_cast<QWidget*>(m_empty)
        : m_filter->rowCount() == 0 ? m_nothingFound
                                    : static_cast<QWidget*>(m_view);
    m_stack->setCurrentWidget(page);
    for (QWidget* each : std::initializer_list<QWidget*>{ m_empty, m_nothingFound, m_view }) {
        // Hidden pages must not claim space, which a small window lacks.
        const auto policy = each == page ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        each->setSizePolicy(policy, policy);
    }
}

QString ThreadList::current() const
{
    return m_view->currentIndex().data(ThreadModel::ThreadRole).toString();
}

void ThreadList::showThreads()
{
    // A list that gets rows while it has the focus chooses the first: the window chooses what is shown.
    const QSignalBlocker quiet(m_shown.isEmpty() ? this : nullptr);
    const QString shown = m_shown;
    m_model->reset(m_book.rows());
    showPage();
    setCurrent(shown);
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

QList<QAction*> ThreadList::orderActions() const
{
    return m_order->menu()->actions();
}

} // namespace sg::ui
