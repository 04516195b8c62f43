#include "ui/bridge/history/history_client.h"

#include "core/history/database.h"
#include "core/history/thread_inputs.h"
#include "core/history/usage_book.h"
#include "ui/bridge/history/history_query.h"
#include "ui/bridge/history/history_reader.h"
#include "ui/bridge/history/overview_query.h"
#include "ui/bridge/history/usage_query.h"
#include "ui/bridge/log/log_merge.h"
#include "ui/bridge/log/log_query.h"
#include "ui/bridge/rows/row_conversion.h"
#include "ui/bridge/sessions/sessions_client.h"

namespace sg::ui {
namespace {

constexpr int kFirstHistory = 1500; // checkpoints of the first answer
constexpr int kPage = 2500; // checkpoints that the window takes at once
constexpr int kMostNamespaces = 20'000;
constexpr int kMostNested = 500; // checkpoints of one run of a subgraph

constexpr std::size_t kMostInputs = 10;

// A thread without any, and a database that is not there yet, have none.
std::vector<LastInputRow> readInputs(workbench::Workbench& workbench, const QString& thread)
{
    std::vector<LastInputRow> rows;
    if (!workbench.history().bringHere(ThreadId(utf8(thread))))
        return rows;
    auto opened =
        history::Database::open(workbench.project().checkpoints, history::Database::Access::ReadOnly);
    if (!opened)
        return rows;
    auto inputs = history::threadInputs((*opened)->store(), ThreadId(utf8(thread)), kMostInputs);
    if (inputs)
        for (history::ThreadInput& input : *inputs)
            rows.push_back({ milliseconds(input.givenAt), std::move(input.values) });
    return rows;
}

// The checkpoint at the end of a side; the newest one if none was chosen.
QString endOf(const CompareSide& side, const HistoryRows& rows)
{
    const bool isNewest = side.checkpoint.isEmpty() && !rows.checkpoints.empty();
    return isNewest ? rows.checkpoints.back().id : side.checkpoint;
}

void addUsage(history::UsageBook& book, const CompareSide& a, const CompareSide& b, ComparisonRows& rows)
{
    const UsageRows left = readUsage(book, a.thread, endOf(a, rows.a));
    const UsageRows right = readUsage(book, b.thread, endOf(b, rows.b));
    rows.usageA = left.sum;
    rows.usageB = right.sum;
    rows.currency = left.currency;
}

} // namespace

HistoryClient::HistoryClient(OpenProject& project, SessionsClient& sessions)
    : Client(project)
    , m_sessions(sessions)
    , m_history(*this)
    , m_whole(*this)
    , m_inner(*this)
    , m_state(*this)
    , m_trace(*this)
    , m_comparison(*this)
    , m_inputs(*this)
    , m_log(*this)
{
    connect(&access().live(), &LiveEvents::logAppended, this, &HistoryClient::tellLog);
    connect(&sessions, &SessionsClient::cellPrinted, this, &HistoryClient::tellLog);
    connect(&access().live(), &LiveEvents::runFinished, this, &HistoryClient::refreshThreads);
    connect(&project, &OpenProject::opened, this, [this] {
        m_logReading.reset();
        refreshThreads();
    });
}

void HistoryClient::refreshThreads()
{
    ask(
        readers(), [](workbench::Workbench& workbench) { return readThreads(workbench); },
        [this](const Answer<std::vector<ThreadRow>>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT threadsLoaded(answer.value);
            else
                Q_EMIT threadsFailed(answer.error);
        });
}

void HistoryClient::loadOverview()
{
    ask(
        readers(), [](workbench::Workbench& workbench) { return readOverview(workbench); },
        [this](const Answer<std::vector<OverviewRow>>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT overviewLoaded(answer.value);
            else
                Q_EMIT overviewFailed(answer.error);
        });
}

// Reads the newest checkpoints; loadWholeHistory() reads the others.
void HistoryClient::loadHistory(const QString& thread)
{
    m_history.ask(
        readers(),
        [thread](workbench::Workbench& workbench) { return readHistory(workbench, thread, kFirstHistory); },
        [this, thread](const Answer<HistoryRows>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT historyLoaded(answer.value);
            else
                Q_EMIT historyFailed(thread, answer.error);
        });
}

void HistoryClient::loadWholeHistory(const QString& thread)
{
    if (isOpen())
        readOn(std::make_shared<HistoryReader>(*access().workbench(), thread));
}

// Reads one page after another: the next page is read after the last one was taken, so that none pile up.
void HistoryClient::readOn(const std::shared_ptr<HistoryReader>& reader)
{
    m_whole.ask(
        slow(), [reader] { return reader->next(kPage); },
        [this, reader](const Answer<HistoryReader::Page>& answer) {
            const std::stop_token asked = m_whole.token();
            if (!answer.error.what.isEmpty()) {
                fail(answer.error);
                return;
            }
            Q_EMIT historyExtended(answer.value.rows, answer.value.isLast);
            if (!answer.value.isLast && asked == m_whole.token()) // a newer request ends this one
                readOn(reader);
        });
}

void HistoryClient::loadNamespaces(const QString& thread)
{
    ask(
        readers(),
        [thread](workbench::Workbench& workbench) {
            return HistoryReader(workbench, thread).namespaces(kMostNamespaces);
        },
        [this, thread](const Answer<QStringList>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT namespacesLoaded(thread, answer.value);
            else
                fail(answer.error);
        });
}

void HistoryClient::loadNested(const QString& thread, const QStringList& namespaces)
{
    if (namespaces.isEmpty())
        return;
    ask(
        readers(),
        [thread, namespaces](workbench::Workbench& workbench) {
            std::vector<HistoryRows> runs;
            for (const QString& ns : namespaces)
                runs.push_back(HistoryReader(workbench, thread, ns).newest(kMostNested).value);
            return runs;
        },
        [this](const std::vector<HistoryRows>& runs) { Q_EMIT nestedLoaded(runs); });
}

void HistoryClient::loadInnerHistories(const QString& thread, const QString& checkpoint,
                                       const QList<QStringList>& paths)
{
    m_inner.ask(
        readers(),
        [thread, checkpoint, paths](workbench::Workbench& workbench) {
            std::vector<Answer<HistoryRows>> answers;
            for (const QStringList& path : paths)
                answers.push_back(readInnerHistory(workbench, thread, checkpoint, path));
            return answers;
        },
        [this, paths](const std::vector<Answer<HistoryRows>>& answers) {
            for (std::size_t i = 0; i < answers.size(); ++i)
                if (answers[i].error.what.isEmpty())
                    Q_EMIT innerHistoryLoaded(answers[i].value, paths[static_cast<qsizetype>(i)]);
                else
                    fail(answers[i].error);
        });
}

void HistoryClient::loadState(const QString& thread, const QString& checkpoint, const QString& base)
{
    m_state.ask(
        readers(),
        [thread, checkpoint, base](workbench::Workbench& workbench) {
            return readState(workbench, thread, checkpoint, base);
        },
        [this, thread](const Answer<StateView>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT stateLoaded(answer.value);
            else
                Q_EMIT stateFailed(thread, answer.error);
        });
}

void HistoryClient::traceValue(const QString& thread, const QStringList& way, const QString& pointer,
                               int limit)
{
    m_trace.ask(
        readers(),
        [thread, way, pointer, limit](workbench::Workbench& workbench) {
            return readTrace(workbench, thread, way, pointer, limit);
        },
        [this](const Answer<ValueTraceRows>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT valueTraced(answer.value);
            else
                fail(answer.error);
        });
}

void HistoryClient::makePatch(const Value& from, const Value& to)
{
    ask(
        readers(), [from, to] { return patchText(from, to); },
        [this](const QString& json) { Q_EMIT patchMade(json); });
}

void HistoryClient::compare(const QString& threadA, const QString& checkpointA, const QString& threadB,
                            const QString& checkpointB)
{
    if (!isOpen())
        return;
    m_comparison.ask(
        slow(),
        [a = CompareSide{ threadA, checkpointA }, b = CompareSide{ threadB, checkpointB },
         book = access().usage()](workbench::Workbench& workbench) {
            auto answer = readComparison(workbench, a, b);
            if (answer.error.what.isEmpty())
                addUsage(*book, a, b, answer.value);
            return answer;
        },
        [this](const Answer<ComparisonRows>& answer) { Q_EMIT compared(answer.value, answer.error); });
}

void HistoryClient::loadLog(const QString& thread)
{
    if (!isOpen())
        return;
    m_logReading = LogReading{ thread, {} };
    m_log.ask(
        readers(), [thread](workbench::Workbench& workbench) { return readLog(workbench, thread); },
        [this, thread](Answer<ThreadLog> answer) {
            if (!answer.error.what.isEmpty()) {
                m_logReading.reset();
                Q_EMIT logFailed(thread, answer.error);
                return;
            }
            LiveEvents& live = access().live();
            live.catchUp(); // publishes lines that were queued while the log was read
            const LogReading meanwhile = *std::exchange(m_logReading, std::nullopt);
            live.wasRead(thread, answer.value.audited);
            Q_EMIT logLoaded(thread,
                             mergedLog(std::move(answer.value), meanwhile.live,
                                       [this, &live, thread](const LogRow& begun) {
                                           return begun.source == LogRow::Source::Cell
                                               ? m_sessions.runsCell(thread)
                                               : live.goesOn(begun);
                                       }));
        });
}

void HistoryClient::tellLog(const QString& thread, const std::vector<LogRow>& rows)
{
    if (m_logReading && m_logReading->thread == thread)
        m_logReading->live.insert(m_logReading->live.end(), rows.begin(), rows.end());
    Q_EMIT logAppended(thread, rows);
}

void HistoryClient::loadInputs(const QString& thread)
{
    m_inputs.ask(
        readers(), [thread](workbench::Workbench& workbench) { return readInputs(workbench, thread); },
        [this, thread](const std::vector<LastInputRow>& inputs) { Q_EMIT inputsLoaded(thread, inputs); });
}

} // namespace sg::ui
