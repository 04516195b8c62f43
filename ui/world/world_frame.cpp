#include "ui/world/world_frame.h"

#include "ui/widgets/byte_format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"
#include "ui/world/world_look.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {
namespace {

QString markWords(SandboxMark mark)
{
    switch (mark) {
    case SandboxMark::Exact: return WorldFrame::tr("kept exactly");
    case SandboxMark::Restored: return WorldFrame::tr("can be restored");
    case SandboxMark::None: return WorldFrame::tr("cannot be restored");
    case SandboxMark::Unused: break;
    }
    return WorldFrame::tr("sandbox not used yet");
}

QString sessionName(const QString& session)
{
    if (session.isEmpty())
        return WorldFrame::tr("the thread's own");
    return session == QLatin1String("run") ? WorldFrame::tr("the run's") : session;
}

void prepare(QTreeView* view, const QString& name, QAbstractItemModel* model)
{
    view->setAccessibleName(name);
    view->setFrameShape(QFrame::NoFrame);
    view->setUniformRowHeights(true);
    view->setTabKeyNavigation(false); // Tab must lead to the next panel
    view->setIndentation(scaledLength(16));
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setTextElideMode(Qt::ElideRight);
    view->setItemDelegate(new WorldDelegate(view));
    view->setModel(model);
    view->header()->setStretchLastSection(true);
    view->header()->setHighlightSections(false);
}

QStringList countsOf(const std::vector<WorldChange>& changes)
{
    QStringList counts;
    for (const WorldChange change : { WorldChange::Added, WorldChange::Changed, WorldChange::Removed })
        if (const auto count = std::ranges::count(changes, change); count > 0)
            counts << WorldFrame::tr("%1 %2").arg(formatCount(count), changeWord(change));
    return counts;
}

} // namespace

QString changesWords(const std::vector<WorldChange>& changes)
{
    const QStringList counts = countsOf(changes);
    return counts.isEmpty() ? WorldFrame::tr("no changes") : counts.join(QStringLiteral(", "));
}

QString momentWords(const WorldView& world, const std::vector<WorldChange>& changes)
{
    QString words = WorldFrame::tr("Step %1, %2").arg(world.step).arg(markWords(world.mark));
    if (!world.session.isEmpty() && world.sessions.size() < 2) // otherwise the list of sessions shows it
        words = WorldFrame::tr("%1, session of %2").arg(words, world.session);
    const QStringList counts = countsOf(changes);
    const QString all = counts.isEmpty() ? QString() : counts.join(QStringLiteral(", "));
    if (world.base)
        return WorldFrame::tr("%1: %2 against step %3")
            .arg(words, all.isEmpty() ? WorldFrame::tr("no changes") : all, QString::number(*world.base));
    return all.isEmpty() ? words : words + QStringLiteral(": ") + all;
}

WorldFrame::WorldFrame(const Words& words, QAbstractItemModel* model, int filterRole, QTreeView* view,
                       QWidget* parent)
    : QWidget(parent)
    , m_words(words)
    , m_proxy(new QSortFilterProxyModel(this))
    , m_pages(new QStackedWidget(this))
    , m_empty(new EmptyState(words.icon, words.nothing, m_pages))
    , m_view(view)
{
    m_proxy->setRecursiveFilteringEnabled(true);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_proxy->setFilterRole(filterRole);
    m_proxy->setSourceModel(model);
    prepare(m_view, words.name, m_proxy);
    auto* bar = new Strip(32, &Tokens::subtle, this);
    m_moment = new ElidedLabel({}, bar);
    m_moment->setFont(uiFont(TextSize::Dense));
    m_moment->setForegroundRole(QPalette::PlaceholderText);
    m_sessions = new QComboBox(bar);
    m_sessions->setAccessibleName(tr("Session"));
    m_sessions->setToolTip(tr("Whose session is shown: this thread has several"));
    m_sessions->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_sessions->setMaximumWidth(scaledLength(180));
    m_sessions->hide();
    makeDense(m_sessions);
    m_filter = new FilterEdit(words.filter, FilterEdit::Sign::Filter, bar);
    m_filter->setAccessibleName(words.filter);
    m_filter->setMaximumWidth(scaledLength(220));
    makeDense(m_filter);
    m_bar = new QHBoxLayout(bar);
    m_bar->setContentsMargins(12, 0, 8, 1);
    m_bar->setSpacing(4);
    m_bar->addWidget(m_moment, 1);
    m_bar->addWidget(m_sessions);
    m_bar->addWidget(m_filter);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_view);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_pages, 1);
    connect(m_filter, &FilterEdit::filterChanged, this, [this](const QString& text) {
        m_proxy->setFilterFixedString(text);
        showRows();
        Q_EMIT filtered();
    });
    connect(m_sessions, &QComboBox::activated, this,
            [this](int index) { Q_EMIT sessionChosen(m_sessions->itemData(index).toString()); });
    clear();
}

void WorldFrame::clear()
{
    fillSessions({});
    m_sentence = m_words.nothing;
    m_momentWords.clear();
    showBar();
    showRows();
}

void WorldFrame::show(const WorldView& world, const QString& problem, const QString& nothing)
{
    if (!world.error.isEmpty())
        m_sentence = tr("This checkpoint's session cannot be read: %1").arg(world.error);
    else if (!world.wasUsed)
        m_sentence = tr("No session belongs to this checkpoint: no node had used one.");
    else if (!problem.isEmpty())
        m_sentence = problem.left(1).toUpper() + problem.mid(1)
            + (problem.endsWith(QLatin1Char('.')) ? QString() : QStringLiteral("."));
    else
        m_sentence = m_proxy->sourceModel()->rowCount() == 0 ? nothing : QString();
    m_momentWords = world.wasUsed ? momentWords(world, {}) : QString();
    fillSessions(world);
    showBar();
    showRows();
}

void WorldFrame::fillSessions(const WorldView& world)
{
    QStringList known;
    for (int index = 0; index < m_sessions->count(); ++index)
        known << m_sessions->itemData(index).toString();
    if (known != world.sessions) { // otherwise an open list would close
        m_sessions->clear();
        for (const QString& session : world.sessions)
            m_sessions->addItem(sessionName(session), session);
    }
    m_sessions->setCurrentIndex(m_sessions->findData(world.session));
    m_sessions->setVisible(world.sessions.size() > 1);
}

void WorldFrame::showMoment(const QString& words)
{
    m_momentWords = words;
    m_view->setAccessibleDescription(words);
    showBar();
}

void WorldFrame::addControl(QWidget* control)
{
    makeDense(control);
    m_bar->insertWidget(m_bar->count() - 1, control);
}

void WorldFrame::setNote(const QString& words)
{
    m_note = words;
    showBar();
}

void WorldFrame::paintNote(const QString& words)
{
    setNote(words);
    m_moment->repaint();
}

void WorldFrame::showBar()
{
    m_moment->setFullText(m_note.isEmpty() ? m_momentWords : m_note);
}

void WorldFrame::showRows()
{
    const bool isFiltered = m_sentence.isEmpty() && m_proxy->rowCount() == 0;
    m_empty->setSentence(isFiltered ? tr("Nothing here matches the filter.")
                                    : QString(m_sentence).replace(QLatin1Char('`'), QLatin1Char('\'')));
    m_pages->setCurrentWidget(m_sentence.isEmpty() && !isFiltered ? static_cast<QWidget*>(m_view) : m_empty);
    m_filter->setEnabled(m_sentence.isEmpty());
}

} // namespace sg::ui
