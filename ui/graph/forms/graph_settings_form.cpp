#include "ui/graph/forms/graph_settings_form.h"

#include "ui/graph/edits/graph_document.h"
#include "ui/graph/forms/bound_rows.h"
#include "ui/graph/forms/fold_button.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace sg::ui {
namespace {

using OptionalNumber = std::optional<double>;

constexpr double kLongestSeconds = 30.0 * 24 * 3600;
constexpr std::array<const char*, 4> kDurabilities{ "", "sync", "async", "exit" };
constexpr std::array<const char*, 3> kPoolStates{ "", "running", "paused" };

template<std::size_t Count>
int indexOf(const std::array<const char*, Count>& words, const std::string& word)
{
    const auto found = std::ranges::find(words, word);
    return found == words.end() ? -1 : static_cast<int>(found - words.begin());
}

QString lines(const graph::Requirements& requirements)
{
    QStringList all;
    for (const std::string& line : requirements.lines)
        all << QString::fromStdString(line);
    return requirements.file.empty() ? all.join(QLatin1Char('\n'))
                                     : QStringLiteral("-r ") + QString::fromStdString(requirements.file);
}

// A single "-r FILE" names a file, as it does for pip; anything else is one package a line.
graph::Requirements requirementsIn(const QString& text)
{
    graph::Requirements requirements;
    for (const QString& line : text.split(QLatin1Char('\n')))
        if (const QString word = line.trimmed(); word.startsWith(QLatin1String("-r ")))
            requirements.file = word.mid(3).trimmed().toStdString();
        else if (!word.isEmpty())
            requirements.lines.push_back(line.toStdString());
    if (!requirements.file.empty())
        requirements.lines.clear();
    return requirements;
}

bool saysOfRuns(const graph::Graph& graph)
{
    return graph.input || graph.output || graph.recursionLimit || graph.cache || !graph.durability.empty()
        || graph.store.enabled || graph.checkpointer != graph::Checkpointer::Inherit;
}

bool saysOfSessions(const graph::SandboxSettings& sandbox)
{
    return !sandbox.image.empty() || !sandbox.ownSessions.empty() || sandbox.idleTimeoutSeconds
        || sandbox.maxAgeSeconds || sandbox.pool || !sandbox.poolState.empty() || !sandbox.preload.empty()
        || !sandbox.requirements.empty() || sandbox.python || !sandbox.egress.empty()
        || !sandbox.secrets.empty();
}

} // namespace

GraphSettingsForm::GraphSettingsForm(GraphDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_runs(new BoundRows(document, this))
    , m_runsFold(new FoldButton(tr("Runs and history"), *m_runs, this))
    , m_sessions(new BoundRows(document, this))
    , m_sessionsFold(new FoldButton(tr("Sessions and network"), *m_sessions, this))
{
    m_runs->setScope(QStringLiteral("runs"));
    m_sessions->setScope(QStringLiteral("sessions"));
    addRuns();
    addStore();
    addSessions();
    addReach();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_runsFold, 0, Qt::AlignLeft);
    column->addWidget(m_runs);
    column->addWidget(m_sessionsFold, 0, Qt::AlignLeft);
    column->addWidget(m_sessions);
    connect(&m_document, &GraphDocument::graphEdited, this, &GraphSettingsForm::fill);
    connect(&m_document, &GraphDocument::graphReset, this, [this] {
        m_isFirst = true;
        fill();
    });
    fill();
}

const graph::Graph& GraphSettingsForm::shown() const
{
    return m_document.graph();
}

void GraphSettingsForm::fill()
{
    if (std::exchange(m_isFirst, false)) {
        m_runsFold->setOpen(saysOfRuns(shown()));
        m_sessionsFold->setOpen(saysOfSessions(shown().sandbox));
    }
    const bool isWhole = m_document.path().empty(); // sessions are set for the whole graph only
    m_sessionsFold->setVisible(isWhole);
    m_sessions->setVisible(isWhole && m_sessionsFold->isChecked());
    m_runs->fill();
    m_sessions->fill();
}

void GraphSettingsForm::addRuns()
{
    const auto channelFault = [this](const std::string& name) {
        return shown().findChannel(name)
            ? QString()
            : tr("The state has no channel \"%1\".").arg(QString::fromStdString(name));
    };
    m_runs->bindNames(
        tr("Input"), tr("all channels; [] for none"), [this] { return shown().input; },
        [](graph::Graph& graph, const BoundRows::Names& names) { graph.input = names; }, channelFault);
    m_runs->bindNames(
        tr("Result"), tr("all channels; [] for none"), [this] { return shown().output; },
        [](graph::Graph& graph, const BoundRows::Names& names) { graph.output = names; }, channelFault);
    m_runs->bindNumber(
        tr("Most steps"), tr("as the run says"), { 1, 1'000'000, true },
        [this] {
            return shown().recursionLimit ? OptionalNumber(*shown().recursionLimit) : OptionalNumber();
        },
        [](graph::Graph& graph, const OptionalNumber& count) {
            graph.recursionLimit = count ? std::optional(static_cast<int>(*count)) : std::nullopt;
        });
    m_runs->bindChoice(
        tr("On disk"),
        { tr("as the run says"), tr("before the next step"), tr("while the next step runs"),
          tr("when the run ends") },
        [this] { return indexOf(kDurabilities, shown().durability); },
        [](graph::Graph& graph, int choice) {
            graph.durability = kDurabilities[static_cast<std::size_t>(choice)];
        });
    m_runs->bindFlag(
        tr("Results"), tr("keep those of nodes that ask for it"), [this] { return shown().cache; },
        [](graph::Graph& graph, bool keeps) { graph.cache = keeps; });
    auto* history = m_runs->bindChoice(
        tr("History"), { tr("with the graph around it"), tr("one of its own"), tr("none") },
        [this] { return static_cast<int>(shown().checkpointer); },
        [](graph::Graph& graph, int choice) {
            graph.checkpointer = static_cast<graph::Checkpointer>(choice);
        });
    m_runs->onFill([this, history] { m_runs->setRowVisible(history, !m_document.path().empty()); });
}

void GraphSettingsForm::addStore()
{
    m_runs->bindFlag(
        tr("Store"), tr("nodes reach the store that threads share"), [this] { return shown().store.enabled; },
        [](graph::Graph& graph, bool enabled) { graph.store.enabled = enabled; });
    auto* age = m_runs->bindNumber(
        tr("Items live"), tr("for ever; minutes"), { 0.001, 52'704'000, false },
        [this] { return shown().store.ttl; },
        [](graph::Graph& graph, const OptionalNumber& minutes) { graph.store.ttl = minutes; });
    auto* refresh = m_runs->bindFlag(
        tr("Reading"), tr("starts an item's time anew"), [this] { return shown().store.refreshOnRead; },
        [](graph::Graph& graph, bool refreshes) { graph.store.refreshOnRead = refreshes; });
    auto* tenant = m_runs->bindText(
        tr("Tenant"), tr("none"), [this] { return QString::fromStdString(shown().store.tenant); },
        [](graph::Graph& graph, const QString& name) { graph.store.tenant = name.toStdString(); });
    m_runs->onFill([this, age, refresh, tenant] {
        for (QWidget* field :
             { static_cast<QWidget*>(age), static_cast<QWidget*>(refresh), static_cast<QWidget*>(tenant) })
            m_runs->setRowVisible(field, shown().store.enabled);
    });
}

void GraphSettingsForm::addSessionNames(const QString& title, const QString& placeholder,
                                        std::vector<std::string> graph::SandboxSettings::*names)
{
    m_sessions->bindNames(
        title, placeholder,
        [this, names]() -> BoundRows::Names {
            const auto& now = shown().sandbox.*names;
            return now.empty() ? BoundRows::Names() : BoundRows::Names(now);
        },
        [names](graph::Graph& graph, const BoundRows::Names& changed) {
            graph.sandbox.*names = changed.value_or(std::vector<std::string>());
        });
}

void GraphSettingsForm::addSessionNumber(const QString& title, const QString& placeholder,
                                         std::optional<double> graph::SandboxSettings::*seconds)
{
    m_sessions->bindNumber(
        title, placeholder, { 0, kLongestSeconds, false },
        [this, seconds] { return shown().sandbox.*seconds; },
        [seconds](graph::Graph& graph, const OptionalNumber& number) { graph.sandbox.*seconds = number; });
}

void GraphSettingsForm::addSessions()
{
    m_sessions->bindText(
        tr("Image"), tr("the one that is built in"),
        [this] { return QString::fromStdString(shown().sandbox.image); },
        [](graph::Graph& graph, const QString& image) { graph.sandbox.image = image.toStdString(); });
    auto* packages = m_sessions->bindProgram(
        tr("Packages"), 3, [this] { return lines(shown().sandbox.requirements); },
        [](graph::Graph& graph, const QString& text) { graph.sandbox.requirements = requirementsIn(text); });
    packages->setToolTip(tr("One a line, as pip writes them, or -r and a file of the graph's folder."));
    m_sessions
        ->bindNames(
            tr("Modules in"), tr("lib, where it exists"), [this] { return shown().sandbox.python; },
            [](graph::Graph& graph, const BoundRows::Names& names) { graph.sandbox.python = names; })
        ->setToolTip(tr("Folders of the project whose Python modules nodes import, beside nodes/."));
    addSessionNames(tr("Imported"), tr("modules, before the first cell"), &graph::SandboxSettings::preload);
    addSessionNames(tr("On their own"), tr("nodes with a session each"),
                    &graph::SandboxSettings::ownSessions);
    addSessionNumber(tr("Idle for"), tr("as settings say; seconds, 0: ever"),
                     &graph::SandboxSettings::idleTimeoutSeconds);
    addSessionNumber(tr("Oldest"), tr("as settings say; seconds"), &graph::SandboxSettings::maxAgeSeconds);
    m_sessions->bindNumber(
        tr("Ready ahead"), tr("none"), { 0, 64, true },
        [this] {
            return shown().sandbox.pool ? OptionalNumber(static_cast<double>(*shown().sandbox.pool))
                                        : OptionalNumber();
        },
        [](graph::Graph& graph, const OptionalNumber& count) {
            graph.sandbox.pool = count ? std::optional(static_cast<std::int64_t>(*count)) : std::nullopt;
        });
    auto* waiting = m_sessions->bindChoice(
        tr("They wait"), { tr("as settings say"), tr("running"), tr("paused") },
        [this] { return indexOf(kPoolStates, shown().sandbox.poolState); },
        [](graph::Graph& graph, int choice) {
            graph.sandbox.poolState = kPoolStates[static_cast<std::size_t>(choice)];
        });
    m_sessions->onFill(
        [this, waiting] { m_sessions->setRowVisible(waiting, shown().sandbox.pool.value_or(0) > 0); });
}

void GraphSettingsForm::addReach()
{
    addSessionNames(tr("Hosts"), tr("none: no network"), &graph::SandboxSettings::egress);
    addSessionNames(tr("Secrets"), tr("names that hosts are shown"), &graph::SandboxSettings::secrets);
}

} // namespace sg::ui
