#include "core/base/json.h"
#include "ui/bridge/history_query.h"
#include "ui/bridge/project_bridge_impl.h"
#include "ui/bridge/row_conversion.h"
#include "ui/bridge/usage_query.h"

// What panels ask about the past, and what people note beside it.
namespace sg::ui {
namespace {

using Notes = Answer<NoteRows>;

Notes notesOf(Result<projects::NotesByThread> notes)
{
    if (!notes)
        return { {}, userError(notes.error()) };
    return { noteRows(*notes), {} };
}

// Empty: its newest checkpoint.
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

void ProjectBridge::traceValue(const QString& thread, const QStringList& way, const QString& pointer,
                               int limit)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->traces;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread, way, pointer, limit] {
            return readTrace(*workbench, thread, way, pointer, limit);
        },
        [this, asked](const Answer<ValueTraceRows>& answer) {
            if (asked != m_impl->traces)
                return; // a newer question is under way
            if (answer.error.what.isEmpty())
                Q_EMIT valueTraced(answer.value);
            else
                Q_EMIT queryFailed(answer.error);
        });
}

void ProjectBridge::makePatch(const Value& from, const Value& to)
{
    m_impl->ask(
        m_impl->readers, [from, to] { return patchText(from, to); },
        [this](const QString& json) { Q_EMIT patchMade(json); });
}

void ProjectBridge::loadWaiting()
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->waiting;
    m_impl->ask(
        m_impl->readers, [workbench = m_impl->workbench] { return readWaiting(*workbench); },
        [this, asked](const Answer<std::vector<WaitingRow>>& answer) {
            if (asked != m_impl->waiting)
                return;
            if (answer.error.what.isEmpty())
                Q_EMIT waitingLoaded(answer.value);
            else
                Q_EMIT waitingFailed(answer.error);
        });
}

void ProjectBridge::answerOne(const QString& thread, const QString& interrupt, const QString& answerJson)
{
    auto value = parseJson(utf8(answerJson));
    if (!value) {
        Q_EMIT runRefused(thread, { tr("The answer is not JSON: %1").arg(text(value.error().message)), {} });
        return;
    }
    if (interrupt.isEmpty()) {
        begin(thread, engine::RunInput::resume(std::move(*value)));
        return;
    }
    answerAll(thread, { { interrupt, answerJson } });
}

void ProjectBridge::answerAll(const QString& thread, const QHash<QString, QString>& answers)
{
    ValueMap byId;
    for (auto each = answers.begin(); each != answers.end(); ++each) {
        auto value = parseJson(utf8(each.value()));
        if (!value) {
            Q_EMIT runRefused(thread,
                              { tr("The answer is not JSON: %1").arg(text(value.error().message)), {} });
            return;
        }
        byId.set(utf8(each.key()), std::move(*value));
    }
    begin(thread, engine::RunInput::resumeById(std::move(byId)));
}

void ProjectBridge::compare(const QString& threadA, const QString& checkpointA, const QString& threadB,
                            const QString& checkpointB)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->comparisons;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, a = CompareSide{ threadA, checkpointA },
         b = CompareSide{ threadB, checkpointB }, book = m_impl->usageOf()] {
            auto answer = readComparison(*workbench, a, b);
            if (answer.error.what.isEmpty())
                addUsage(*book, a, b, answer.value);
            return answer;
        },
        [this, asked](const Answer<ComparisonRows>& answer) {
            if (asked == m_impl->comparisons)
                Q_EMIT compared(answer.value, answer.error);
        });
}

template<typename Change>
void ProjectBridge::changeNotes(Change change)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->editing,
        [notes = m_impl->notes, change = std::move(change)] { return notesOf(change(*notes)); },
        [this](const Notes& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT notesLoaded(answer.value);
            else
                Q_EMIT queryFailed(answer.error);
        });
}

void ProjectBridge::loadNotes()
{
    changeNotes([](projects::ProjectNotes& notes) { return notes.read(); });
}

void ProjectBridge::setLabel(const QString& thread, const QString& label)
{
    changeNotes([id = ThreadId(utf8(thread)), words = utf8(label)](projects::ProjectNotes& notes) {
        return notes.setLabel(id, words);
    });
}

void ProjectBridge::setBookmark(const QString& thread, const QString& checkpoint,
                                const std::optional<QString>& note)
{
    std::optional<std::string> words;
    if (note)
        words = utf8(*note);
    changeNotes([id = ThreadId(utf8(thread)), at = CheckpointId(utf8(checkpoint)), words = std::move(words)](
                    projects::ProjectNotes& notes) { return notes.setBookmark(id, at, words); });
}

void ProjectBridge::removeThreads(const QStringList& threads)
{
    if (!isOpen() || threads.isEmpty())
        return;
    m_impl->ask(
        m_impl->editing,
        [workbench = m_impl->workbench, notes = m_impl->notes, threads] {
            return sg::ui::removeThreads(*workbench, *notes, threads);
        },
        [this](const UserError& error) {
            if (!error.what.isEmpty())
                Q_EMIT queryFailed(error);
            refreshThreads();
        });
}

} // namespace sg::ui
