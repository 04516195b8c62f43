#include "ui/selection/shown_history.h"

#include "ui/selection/checkpoint_words.h"
#include "ui/selection/history_window.h"
#include "ui/selection/selection.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kNone = HistoryModel::kNone;
constexpr int kSeenWhole = 1000; // checkpoints: what is seen of a longer history follows the cursor
constexpr int kSeenBefore = 1500;
constexpr int kSeenAfter = 300;
constexpr int kWentOnMs = 120;

} // namespace

ShownHistory::ShownHistory(Selection& selection, QObject* parent)
    : QObject(parent)
    , m_selection(selection)
{
    connect(&selection, &Selection::threadChanged, this, &ShownHistory::clear);
    connect(&selection, &Selection::checkpointChanged, this, &ShownHistory::takeCheckpoint);
    connect(&selection, &Selection::momentChanged, this, &ShownHistory::tellMoment);
    m_wentOnSoon.setSingleShot(true);
    m_wentOnSoon.setInterval(kWentOnMs);
    connect(&m_wentOnSoon, &QTimer::timeout, this, &ShownHistory::wentOn);
}

void ShownHistory::takeCheckpoint()
{
    m_wanted.reset(); // the user has gone elsewhere
    if (count() > kSeenWhole)
        m_seen.set(around(m_selection.checkpoint()));
    Q_EMIT currentChanged();
    if (std::isnan(m_selection.moment()))
        tellMoment();
}

void ShownHistory::tellMoment()
{
    const double now = moment();
    if (now == m_told || (std::isnan(now) && std::isnan(m_told)))
        return;
    m_told = now;
    Q_EMIT momentChanged();
}

void ShownHistory::clear()
{
    m_wanted.reset();
    Q_EMIT aboutToChange();
    m_model.clear(m_selection.thread());
    m_seen.set({ m_selection.thread(), {}, {} });
    m_total = 0;
    m_isRead = false;
    m_isWhole = true;
    m_whole.reset();
    m_meanwhile = {};
    Q_EMIT changed({ HistoryChange::Kind::Cleared });
    tellMoment();
}

void ShownHistory::take(const HistoryRows& rows)
{
    if (rows.thread != m_model.thread())
        return;
    const bool wasAwaiting = isAwaiting();
    Q_EMIT aboutToChange();
    const bool goesOn =
        !m_model.isEmpty() && !rows.checkpoints.empty() && m_model.find(rows.checkpoints.front().id) != kNone;
    m_total = std::max(rows.total, static_cast<qint64>(rows.checkpoints.size()));
    if (goesOn) {
        m_model.add(rows.checkpoints);
        m_model.changeTasks(rows.tasks);
        if (m_whole) {
            m_meanwhile.checkpoints.insert(m_meanwhile.checkpoints.end(), rows.checkpoints.begin(),
                                           rows.checkpoints.end());
            m_meanwhile.tasks.insert(m_meanwhile.tasks.end(), rows.tasks.begin(), rows.tasks.end());
        }
    }
    // Live checkpoints may have come since the rows were read: they are behind them.
    const auto known = [&] { return m_model.find(rows.checkpoints.back().id) + qint64(1); };
    const bool isAnew = !goesOn || known() > m_total; // the first ones, or some were removed
    if (isAnew) {
        m_model.reset(rows);
        m_whole.reset();
    }
    m_isWhole = rows.checkpoints.empty() || known() >= m_total;
    m_isRead = true;
    m_seen.set(m_selection.isAtHead() ? rows : around(m_selection.checkpoint()));
    tell({ isAnew ? HistoryChange::Kind::ReadAnew : HistoryChange::Kind::Read }, wasAwaiting);
    goToWanted();
}

void ShownHistory::expectWhole(qint64 total)
{
    m_whole = std::make_unique<HistoryModel>();
    m_whole->clear(m_model.thread());
    m_whole->reserve(total);
    m_meanwhile = {};
}

void ShownHistory::takePage(const HistoryRows& page, bool isLast)
{
    if (!m_whole || page.thread != m_model.thread())
        return;
    m_whole->add(page.checkpoints);
    m_whole->changeTasks(page.tasks);
    if (isLast)
        takeWhole();
}

void ShownHistory::takeWhole()
{
    const bool wasAwaiting = isAwaiting();
    m_whole->add(m_meanwhile.checkpoints);
    m_whole->changeTasks(m_meanwhile.tasks);
    Q_EMIT aboutToChange();
    m_model = std::move(*m_whole);
    m_whole.reset();
    m_meanwhile = {};
    m_isWhole = true;
    m_seen.set(around(m_selection.checkpoint()));
    tell({ HistoryChange::Kind::Completed }, wasAwaiting);
    goToWanted();
}

void ShownHistory::tell(HistoryChange change, bool wasAwaiting)
{
    Q_EMIT changed(change);
    if (wasAwaiting && !isAwaiting())
        Q_EMIT currentChanged();
    if (change.isRead()) // when a checkpoint was made is known now
        tellMoment();
}

void ShownHistory::add(const QString& thread, const std::vector<CheckpointRow>& rows)
{
    if (thread != m_model.thread())
        return;
    const bool wasAwaiting = isAwaiting();
    Q_EMIT aboutToChange();
    const int first = m_model.head() + 1; // known ones keep their times
    m_model.add(rows);
    m_seen.add(rows);
    if (m_whole)
        m_meanwhile.checkpoints.insert(m_meanwhile.checkpoints.end(), rows.begin(), rows.end());
    tell({ HistoryChange::Kind::Added, first }, wasAwaiting);
    if (!m_wentOnSoon.isActive())
        m_wentOnSoon.start();
}

void ShownHistory::changeTasks(const QString& thread, const std::vector<TaskRow>& rows)
{
    if (thread != m_model.thread())
        return;
    Q_EMIT aboutToChange();
    if (m_whole)
        m_meanwhile.tasks.insert(m_meanwhile.tasks.end(), rows.begin(), rows.end());
    m_model.changeTasks(rows);
    m_seen.changeTasks(rows);
    int first = m_model.head() + 1;
    for (const TaskRow& row : rows)
        if (const int mark = m_model.find(row.checkpoint); mark != kNone)
            first = std::min(first, mark);
    Q_EMIT changed({ HistoryChange::Kind::Tasks, first });
}

void ShownHistory::goTo(const QString& checkpoint)
{
    if (!checkpoint.isEmpty())
        m_selection.setCheckpoint(checkpoint == head() ? QString() : checkpoint);
}

void ShownHistory::goToTime(const QString& thread, double timeMs)
{
    m_selection.setThread(thread);
    m_wanted = { thread, timeMs };
    goToWanted();
}

void ShownHistory::goToMoment(double timeMs, int lane)
{
    if (m_model.isEmpty())
        return;
    const int branch = lane != kNone ? lane : m_model.mark(markAtTime(m_model, timeMs)).lane;
    const int mark = markOnWay(m_model, branch, timeMs);
    const auto now = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
    const bool isLast = m_model.lastOf(m_model.mark(mark).lane) == mark;
    const bool isOver = isLast && !(timeMs < endOfWork(m_model, mark, now)); // also where nothing began
    if (timeMs <= m_model.mark(mark).timeMs || isOver)
        goTo(m_model.id(mark));
    else
        m_selection.setMoment(m_model.id(mark), timeMs);
}

void ShownHistory::goToMadeFrom(const QString& thread, const QString& checkpoint)
{
    m_selection.setThread(thread);
    m_wanted = { thread, checkpoint };
    goToWanted();
}

void ShownHistory::goToWanted()
{
    if (!m_wanted || m_wanted->thread != m_model.thread() || m_model.isEmpty())
        return;
    QString found;
    if (const double* time = std::get_if<double>(&m_wanted->place)) {
        if (!m_isWhole && *time < firstTime())
            return; // it is being read
        found = at(*time);
    } else {
        found = after(std::get<QString>(m_wanted->place));
        if (found.isEmpty())
            return; // a later part of the history may have it
    }
    m_wanted.reset();
    goTo(found);
}

qint64 ShownHistory::total() const
{
    return std::max<qint64>(m_total, count());
}

bool ShownHistory::needsWhole() const
{
    return !m_isWhole && m_whole == nullptr;
}

HistoryRows ShownHistory::around(const QString& checkpoint) const
{
    const int mark = m_model.find(checkpoint);
    return historyAround(m_model, mark == kNone ? m_model.head() : mark, kSeenBefore, kSeenAfter);
}

bool ShownHistory::isAtHead() const
{
    const int mark = m_model.find(m_selection.checkpoint());
    return mark == kNone || mark == m_model.head();
}

int ShownHistory::currentMark() const
{
    return isAtHead() ? m_model.head() : m_model.find(m_selection.checkpoint());
}

QString ShownHistory::current() const
{
    const int mark = currentMark();
    return mark == kNone ? QString() : m_model.id(mark);
}

bool ShownHistory::isAwaiting() const
{
    return !m_selection.checkpoint().isEmpty() && !(m_isRead && m_isWhole)
        && m_model.find(m_selection.checkpoint()) == kNone;
}

double ShownHistory::moment() const
{
    if (!std::isnan(m_selection.moment()))
        return m_selection.moment();
    return m_selection.isAtHead() ? kUnknown : timeOf(m_selection.checkpoint());
}

bool ShownHistory::isMomentBetween() const
{
    return !std::isnan(m_selection.moment()) && m_model.find(m_selection.checkpoint()) != kNone;
}

double ShownHistory::secondsInto() const
{
    return isMomentBetween()
        ? sg::ui::secondsInto(m_model, m_model.find(m_selection.checkpoint()), m_selection.moment())
        : kUnknown;
}

QString ShownHistory::head() const
{
    return m_model.isEmpty() ? QString() : m_model.id(m_model.head());
}

CheckpointRow ShownHistory::row(const QString& checkpoint) const
{
    const int mark = m_model.find(checkpoint);
    return mark == kNone ? CheckpointRow() : m_model.row(mark);
}

QString ShownHistory::label(const QString& checkpoint) const
{
    const int mark = m_model.find(checkpoint);
    if (mark == kNone)
        return {};
    const CheckpointRow found = m_model.row(mark);
    return checkpointLabel(found) + QStringLiteral(", ") + stepName(found.step);
}

QString ShownHistory::at(double timeMs) const
{
    const int mark = markAtTime(m_model, timeMs);
    return mark == kNone ? QString() : m_model.id(mark);
}

QString ShownHistory::after(const QString& start) const
{
    const int mark = m_model.find(start);
    return mark == kNone ? QString() : m_model.id(madeFrom(m_model, mark));
}

QString ShownHistory::afterTask(const QString& task) const
{
    const int start = m_model.startOfTask(task);
    return start == kNone ? QString() : after(m_model.id(start));
}

double ShownHistory::firstTime() const
{
    return m_model.isEmpty() ? kUnknown : m_model.mark(0).timeMs;
}

double ShownHistory::timeOf(const QString& checkpoint) const
{
    const int mark = m_model.find(checkpoint);
    return mark == kNone ? kUnknown : m_model.mark(mark).timeMs;
}

int ShownHistory::stepOf(const QString& checkpoint) const
{
    const int mark = m_model.find(checkpoint);
    return mark == kNone ? 0 : m_model.mark(mark).step;
}

int ShownHistory::depthOf(const QString& checkpoint) const
{
    const int mark = m_model.find(checkpoint);
    return mark == kNone ? 0 : m_model.mark(mark).column + 1;
}

QSet<QString> ShownHistory::passedBefore(const QString& checkpoint, const QSet<QString>& asked) const
{
    return sg::ui::passedBefore(m_model, m_model.find(checkpoint), asked);
}

QStringList ShownHistory::wayTo(const QString& checkpoint, int most) const
{
    QStringList way;
    for (int mark = m_model.find(checkpoint); mark != kNone && way.size() < most;
         mark = m_model.mark(mark).parent)
        way << m_model.id(mark);
    return way;
}

QString ShownHistory::atStep(const QString& checkpoint, int step) const
{
    for (int mark = m_model.find(checkpoint); mark != kNone; mark = m_model.mark(mark).parent)
        if (m_model.mark(mark).step == step)
            return m_model.id(mark);
    return {};
}

std::vector<ShownHistory::Branch> ShownHistory::branches() const
{
    std::vector<Branch> made;
    for (int lane = 0; lane < static_cast<int>(m_model.lanes().size()); ++lane)
        made.push_back(
            { lane == 0 ? tr("main") : tr("branch %1").arg(lane + 1), m_model.id(m_model.lastOf(lane)) });
    return made;
}

int ShownHistory::currentBranch() const
{
    const int mark = currentMark();
    return mark == kNone ? -1 : m_model.mark(mark).lane;
}

} // namespace sg::ui
