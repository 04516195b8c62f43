#include "ui/pools/pools_sections.h"

#include "ui/pools/attempt_bar.h"
#include "ui/pools/dead_model.h"
#include "ui/pools/story_model.h"
#include "ui/pools/worker_model.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"
#include "ui/widgets/time_format.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMap>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace sg::ui {
namespace {

// A section: a head with a title, and what is below it.
struct Section {
    QWidget* widget;
    QVBoxLayout* column;
    ElidedLabel* head;
};

Section section(QWidget* parent)
{
    Section made{ new QWidget(parent), nullptr, nullptr };
    made.column = new QVBoxLayout(made.widget);
    made.column->setContentsMargins(0, 0, 0, 0);
    made.column->setSpacing(0);
    auto* strip = new Strip(30, &Tokens::subtle, made.widget);
    auto* row = new QHBoxLayout(strip);
    row->setContentsMargins(12, 0, 8, 1);
    made.head = new ElidedLabel({}, strip);
    made.head->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    row->addWidget(made.head, 1);
    made.column->addWidget(strip);
    return made;
}

QMap<QString, QStringList> jobsByRole(const std::vector<DeadLetterRow>& letters)
{
    QMap<QString, QStringList> byRole;
    for (const DeadLetterRow& letter : letters)
        byRole[letter.role] << letter.job;
    return byRole;
}

QString storyWords(const JobStoryRow& story)
{
    const std::vector<JobTry> tries = triesOf(story);
    double worked = 0;
    for (const JobTry& each : tries)
        worked += std::isnan(each.toMs) ? 0 : (each.toMs - each.fromMs) / 1000;
    QStringList words{ PoolsSections::tr("Job %1").arg(story.job),
                       story.state ? QString::fromLatin1(nameOf(*story.state)) : QString() };
    if (!tries.empty())
        words << (tries.size() == 1 ? PoolsSections::tr("1 try, %1 of it work").arg(formatDuration(worked))
                                    : PoolsSections::tr("%1 tries, %2 of work")
                                          .arg(tries.size())
                                          .arg(formatDuration(worked)));
    if (!story.isWhole)
        words << PoolsSections::tr("its beginning is not in the audit any more");
    words.removeAll(QString());
    return words.join(QStringLiteral(" · "));
}

} // namespace

void dressTable(QTableView& table, const QString& name)
{
    table.setAccessibleName(name);
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setFont(uiFont(TextSize::Dense));
    table.setIconSize(QSize(14, 14));
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(scaledLength(26));
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

PoolsSections::PoolsSections(QWidget* parent)
    : QWidget(parent)
    , m_workers(new WorkerModel(this))
    , m_story(new StoryModel(this))
    , m_dead(new DeadModel(this))
{
    auto* parts = new QSplitter(this);
    parts->setChildrenCollapsible(false);
    parts->addWidget(makeWorkers());
    parts->addWidget(makeStory());
    parts->addWidget(makeDead());
    for (int i = 0; i < parts->count(); ++i)
        parts->setStretchFactor(i, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(parts);
    show({});
    setStory({});
}

QWidget* PoolsSections::makeWorkers()
{
    const Section made = section(this);
    m_workersHead = made.head;
    m_workersTable = new QTableView(made.widget);
    m_workersTable->setModel(m_workers);
    dressTable(*m_workersTable, tr("Workers"));
    for (const int column : { WorkerModel::NameColumn, WorkerModel::DoesColumn })
        m_workersTable->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    m_workersTable->setColumnWidth(WorkerModel::RoleColumn, scaledLength(76));
    m_workersTable->setColumnWidth(WorkerModel::DoneColumn, scaledLength(80));
    made.column->addWidget(m_workersTable, 1);
    connect(m_workersTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                const QString job = current.siblingAtColumn(WorkerModel::DoesColumn).data().toString();
                const QString role = current.siblingAtColumn(WorkerModel::RoleColumn).data().toString();
                if (current.isValid() && !m_workers->isHost(current.row()) && job != WorkerModel::tr("free"))
                    choose(role, job);
            });
    return made.widget;
}

QWidget* PoolsSections::makeStory()
{
    const Section made = section(this);
    m_storyHead = made.head;
    m_tries = new AttemptBar(made.widget);
    made.column->addWidget(m_tries);
    auto* table = new QTableView(made.widget);
    table->setModel(m_story);
    dressTable(*table, tr("Story of the job"));
    table->horizontalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(StoryModel::WhatColumn, QHeaderView::Stretch);
    table->setColumnWidth(StoryModel::TimeColumn, scaledLength(104));
    table->setMinimumHeight(scaledLength(60));
    made.column->addWidget(table, 1);
    return made.widget;
}

QWidget* PoolsSections::makeDead()
{
    const Section made = section(this);
    m_deadHead = made.head;
    m_deadTable = new QTableView(made.widget);
    m_deadTable->setModel(m_dead);
    dressTable(*m_deadTable, tr("Dead letters"));
    m_deadTable->setSelectionMode(QAbstractItemView::ExtendedSelection);
    for (const int column : { DeadModel::JobColumn, DeadModel::WhyColumn })
        m_deadTable->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    m_deadTable->setColumnWidth(DeadModel::RoleColumn, scaledLength(72));
    m_deadTable->setColumnWidth(DeadModel::TriesColumn, scaledLength(56));
    m_deadTable->setColumnWidth(DeadModel::AgeColumn, scaledLength(92));
    m_deadTable->setMinimumHeight(scaledLength(60));
    made.column->addWidget(m_deadTable, 2);
    m_payload = new QPlainTextEdit(made.widget);
    m_payload->setReadOnly(true);
    m_payload->setTabChangesFocus(true);
    m_payload->setFrameShape(QFrame::NoFrame);
    m_payload->setFont(monoFont(TextSize::Dense));
    m_payload->setAccessibleName(tr("Payload of the job"));
    m_payload->setPlaceholderText(tr("What the chosen job was given stands here."));
    m_payload->setMinimumHeight(scaledLength(44));
    made.column->addWidget(m_payload, 1);
    auto* strip = new Strip(38, &Tokens::subtle, made.widget, Strip::Line::Above);
    auto* row = new QHBoxLayout(strip);
    row->setContentsMargins(8, 1, 8, 0);
    row->setSpacing(6);
    m_requeueAlike = new QPushButton(strip);
    m_requeueAlike->setProperty("sgPrimary", true);
    m_requeue = new QPushButton(tr("Requeue"), strip);
    m_discard = new QPushButton(strip);
    for (QPushButton* each : { m_requeueAlike, m_requeue, m_discard }) {
        makeDense(each);
        row->addWidget(each);
    }
    row->addStretch();
    made.column->addWidget(strip);
    connect(m_requeue, &QPushButton::clicked, this, [this] { requeue(false); });
    connect(m_requeueAlike, &QPushButton::clicked, this, [this] { requeue(true); });
    connect(m_discard, &QPushButton::clicked, this, &PoolsSections::askToDiscard);
    connect(m_deadTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        showVerbs();
        if (const auto letters = chosen(); !letters.empty())
            choose(letters.front().role, letters.front().job);
    });
    return made.widget;
}

void PoolsSections::show(const PoolsLook& look)
{
    m_workers->setPools(look.pools);
    const std::vector<DeadLetterRow> before = chosen();
    m_dead->setLetters(look.dead, look.timeMs);
    if (chosen().empty()) // others came or went: what was chosen stays so
        for (int row = 0; row < m_dead->rowCount(); ++row)
            if (std::ranges::find(before, m_dead->letters()[static_cast<std::size_t>(row)].job,
                                  &DeadLetterRow::job)
                != before.end())
                m_deadTable->selectionModel()->select(
                    m_dead->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    if (m_job.isEmpty() && m_dead->rowCount() > 0) // what went wrong last is what people come for
        m_deadTable->setCurrentIndex(m_dead->index(0, 0));
    const int workers = m_workers->workers();
    m_workersHead->setFullText(
        workers == 0
            ? tr("Workers: none")
            : tr("Workers: %1 on %2")
                  .arg(workers)
                  .arg(m_workers->hosts() == 1 ? tr("1 host") : tr("%1 hosts").arg(m_workers->hosts())));
    const auto shown = static_cast<qint64>(look.dead.size());
    m_deadHead->setFullText(
        look.deadInAll == 0 ? tr("Dead letters: none")
            : look.deadInAll > shown
            ? tr("Dead letters: the newest %1 of %2").arg(formatCount(shown), formatCount(look.deadInAll))
            : tr("Dead letters: %1").arg(formatCount(look.deadInAll)));
    showVerbs();
}

void PoolsSections::setStory(const JobStoryRow& story)
{
    if (!story.job.isEmpty() && (story.job != m_job || story.role != m_role))
        return; // another was chosen meanwhile
    m_story->setStory(story);
    m_tries->setStory(story);
    m_storyHead->setFullText(!story.error.what.isEmpty() ? story.error.what
                                 : story.job.isEmpty()
                                 ? tr("Choose a worker's job or a dead letter to see its story")
                                 : storyWords(story));
    if (m_payload->toPlainText() != story.payload)
        m_payload->setPlainText(story.payload);
}

void PoolsSections::choose(const QString& role, const QString& job)
{
    if (job.isEmpty() || (role == m_role && job == m_job))
        return;
    m_role = role;
    m_job = job;
    setStory({}); // the story of another job is not this one's
    Q_EMIT storyRequested(role, job);
}

bool PoolsSections::mayGoOn() const
{
    using workers::JobState;
    const std::optional<JobState> state = m_story->story().state;
    if (m_job.isEmpty() || state == JobState::Done || state == JobState::Cancelled)
        return false;
    return state != JobState::Dead
        || std::ranges::none_of(m_dead->letters(), [this](const DeadLetterRow& row) {
               return row.role == m_role && row.job == m_job;
           });
}

std::vector<DeadLetterRow> PoolsSections::chosen() const
{
    std::vector<DeadLetterRow> letters;
    for (int row = 0; row < m_dead->rowCount(); ++row)
        if (m_deadTable->selectionModel()->isRowSelected(row, {}))
            letters.push_back(m_dead->letters()[static_cast<std::size_t>(row)]);
    return letters;
}

std::vector<DeadLetterRow> PoolsSections::alike() const
{
    const std::vector<DeadLetterRow> letters = chosen();
    std::vector<DeadLetterRow> found;
    if (!letters.empty())
        std::ranges::copy_if(m_dead->letters(), std::back_inserter(found), [&](const DeadLetterRow& row) {
            return row.role == letters.front().role && row.why == letters.front().why;
        });
    return found;
}

void PoolsSections::requeue(bool isAlike)
{
    const QMap<QString, QStringList> byRole = jobsByRole(isAlike ? alike() : chosen());
    for (auto each = byRole.begin(); each != byRole.end(); ++each)
        Q_EMIT requeueRequested(each.key(), each.value());
}

// Nothing brings them back. The letters are those that were chosen when it was asked.
void PoolsSections::askToDiscard()
{
    const std::vector<DeadLetterRow> letters = chosen();
    if (letters.empty())
        return;
    auto* ask = new QMessageBox(
        QMessageBox::Question, tr("Dead letters"),
        letters.size() == 1 ? tr("Discard the dead letter %1 of %2?").arg(letters[0].job, letters[0].role)
                            : tr("Discard %1 dead letters?").arg(letters.size()),
        QMessageBox::NoButton, window());
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setInformativeText(tr("What their tasks were given goes with them, and nothing brings it back. A "
                               "run that failed by one does its task anew with Resume."));
    QPushButton* discard = ask->addButton(tr("Discard"), QMessageBox::DestructiveRole);
    ask->setDefaultButton(
        ask->addButton(letters.size() == 1 ? tr("Keep it") : tr("Keep them"), QMessageBox::RejectRole));
    connect(discard, &QPushButton::clicked, this, [this, byRole = jobsByRole(letters)] {
        for (auto each = byRole.begin(); each != byRole.end(); ++each)
            Q_EMIT discardRequested(each.key(), each.value());
    });
    ask->open();
}

void PoolsSections::showVerbs()
{
    const std::vector<DeadLetterRow> letters = chosen();
    const auto same = static_cast<int>(alike().size());
    m_requeue->setEnabled(!letters.empty());
    m_requeue->setText(letters.size() > 1 ? tr("Requeue %1").arg(letters.size()) : tr("Requeue"));
    m_discard->setEnabled(!letters.empty());
    m_discard->setText(letters.size() > 1 ? tr("Discard %1…").arg(letters.size()) : tr("Discard…"));
    m_requeueAlike->setVisible(same > 1 && letters.size() == 1);
    m_requeueAlike->setText(tr("Requeue %1 of this reason").arg(same));
}

} // namespace sg::ui
