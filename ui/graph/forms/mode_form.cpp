#include "ui/graph/forms/mode_form.h"

#include "core/graph/node_kinds.h"
#include "core/sandbox/backend_kinds.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/setting_text.h"
#include "ui/graph/forms/form_rows.h"
#include "ui/graph/kind_look.h"
#include "ui/widgets/choice_card.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/ink_label.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace sg::ui {
namespace {

std::string upper(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char letter) { return std::toupper(letter); });
    return text;
}

bool has(const std::string& text, std::string_view word)
{
    return text.find(word) != std::string::npos;
}

// Splits a mode that is written as one word into its two halves, so that one of them can change.
void splitMode(graph::SandboxSettings& sandbox)
{
    if (sandbox.mode.empty())
        return;
    sandbox.storage = storageOf(sandbox);
    sandbox.datasets = datasetsOf(sandbox);
    sandbox.mode.clear();
}

void tidy(graph::SandboxSettings& sandbox)
{
    if (sandbox.storage == "TMPFS")
        sandbox.storage.clear();
    if (sandbox.datasets == "NONE")
        sandbox.datasets.clear();
}

bool isElsewhere(const graph::SandboxSettings& sandbox)
{
    const sandbox::BackendKind* kind = sandbox::findBackendKind(sandbox.backend);
    return kind != nullptr && kind->runsOn == sandbox::RunsOn::Service;
}

// Returns the words that are shown before the move, and while it cannot work.
QString elsewhereWords(const graph::SandboxSettings& sandbox)
{
    const QString left = leftBehind(sandbox).join(QStringLiteral(", "));
    if (isElsewhere(sandbox))
        return left.isEmpty()
            ? ModeForm::tr("Threads go on elsewhere with the names and files of their last checkpoint.")
            : ModeForm::tr("Elsewhere there is nothing for: %1. Runs are refused, or go on without.")
                  .arg(left);
    return left.isEmpty()
        ? ModeForm::tr("All of it can move elsewhere: names and files of the last checkpoint go along.")
        : ModeForm::tr("A move elsewhere leaves behind: %1. Names and files of the last checkpoint go along.")
              .arg(left);
}

constexpr std::size_t kMostHosts = 3; // named hosts; the others are counted

QString networkOf(const graph::SandboxSettings& sandbox)
{
    if (sandbox.egress.empty())
        return ModeForm::tr("no network");
    const auto end =
        sandbox.egress.begin() + static_cast<std::ptrdiff_t>(std::min(sandbox.egress.size(), kMostHosts));
    const QString named = joinedNames({ sandbox.egress.begin(), end });
    return sandbox.egress.size() > kMostHosts
        ? ModeForm::tr("network: %1 and %2 more").arg(named).arg(sandbox.egress.size() - kMostHosts)
        : ModeForm::tr("network: only %1").arg(named);
}

} // namespace

std::string storageOf(const graph::SandboxSettings& sandbox)
{
    if (!sandbox.storage.empty())
        return upper(sandbox.storage);
    return has(upper(sandbox.mode), "BIND") ? "BIND" : "TMPFS";
}

std::string datasetsOf(const graph::SandboxSettings& sandbox)
{
    if (!sandbox.datasets.empty())
        return upper(sandbox.datasets);
    const std::string mode = upper(sandbox.mode);
    return has(mode, "HYBRID") ? "HYBRID"
        : has(mode, "API")     ? "API"
        : has(mode, "LOCAL")   ? "LOCAL_RO"
                               : "NONE";
}

QStringList leftBehind(const graph::SandboxSettings& sandbox)
{
    QStringList left;
    if (storageOf(sandbox) == "BIND")
        left << ModeForm::tr("the session's folder on this disk");
    const std::string access = datasetsOf(sandbox);
    if (access == "LOCAL_RO" || access == "HYBRID")
        left << ModeForm::tr("local data");
    if (!sandbox.requirements.empty())
        left << ModeForm::tr("packages of its own");
    if (!sandbox.secrets.empty())
        left << ModeForm::tr("secrets");
    if (!sandbox.egress.empty())
        left << ModeForm::tr("the hosts it may reach");
    const graph::SandboxLimits& limits = sandbox.limits;
    if (limits.memoryMb || limits.cpus || limits.pids)
        left << ModeForm::tr("limits of memory, processor and processes");
    return left;
}

QString misfitOf(const graph::Graph& graph)
{
    const std::string access = datasetsOf(graph.sandbox);
    if (access == "API" || access == "HYBRID")
        return {};
    for (const graph::Node& node : graph.nodes)
        if (graph::fetchesData(node))
            return ModeForm::tr(
                       "%1 fetches a data set, which this mode does not allow. Choose Fetched or Both.")
                .arg(QString::fromStdString(node.name.value));
    return {};
}

ModeForm::ModeForm(GraphDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_column(new QVBoxLayout(this))
    , m_place(new FormRows(this))
    , m_limits(new FormRows(this))
    , m_warning(new InkLabel(&Tokens::warn, TextSize::Dense, QFont::Normal, this))
    , m_elsewhere(new InkLabel(&Tokens::muted, TextSize::Small, QFont::Normal, this))
    , m_summary(new InkLabel(&Tokens::muted, TextSize::Small, QFont::Normal, this))
{
    setAccessibleName(tr("Execution mode"));
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(6);
    auto* title = new QLabel(tr("Execution mode"), this);
    title->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    auto* head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(new InkLabel(&Tokens::muted, TextSize::Small, QFont::Normal, this));
    static_cast<QLabel*>(head->itemAt(1)->widget())->setText(tr("for the whole graph"));
    m_column->addLayout(head);
    ask(tr("Where does the session live?"),
        { { "TMPFS", tr("Memory"), tr("Gone when it stops") },
          { "BIND", tr("Disk"), tr("Survives a restart") } },
        storageOf,
        [](graph::SandboxSettings& sandbox, const std::string& value) { sandbox.storage = value; });
    ask(tr("Which data may it read?"),
        { { "NONE", tr("None"), tr("No data") },
          { "LOCAL_RO", tr("Local"), tr("Read-only") },
          { "API", tr("Fetched"), tr("On request") },
          { "HYBRID", tr("Both"), tr("Local first") } },
        datasetsOf,
        [](graph::SandboxSettings& sandbox, const std::string& value) { sandbox.datasets = value; });
    m_warning->setWordWrap(true);
    m_column->addWidget(m_warning);
    ask(
        tr("How is it isolated?"), backendAnswers(),
        [](const graph::SandboxSettings& sandbox) {
            return sandbox.backend.empty() ? std::string(sandbox::kAutoBackend) : sandbox.backend;
        },
        [](graph::SandboxSettings& sandbox, const std::string& value) {
            sandbox.backend = value == sandbox::kAutoBackend ? "" : value;
            if (!isElsewhere(sandbox))
                sandbox.connection.clear(); // it names nothing here
        });
    m_elsewhere->setObjectName(QStringLiteral("leftBehind"));
    m_elsewhere->setWordWrap(true);
    addConnection();
    m_column->addWidget(m_elsewhere);
    ask(
        tr("Who shares a session?"),
        { { "thread", tr("Thread"), tr("Nodes share names") },
          { "node", tr("Node"), tr("Each has its own") },
          { "run", tr("Run"), tr("New every time") } },
        [](const graph::SandboxSettings& sandbox) {
            return sandbox.scope.empty() ? "thread" : sandbox.scope;
        },
        [](graph::SandboxSettings& sandbox, const std::string& value) {
            sandbox.scope = value == "thread" ? "" : value;
        });
    m_limits->addHeading(tr("Limits"));
    addLimit(tr("Memory"), QT_TR_NOOP("MiB"), 2048, &graph::SandboxLimits::memoryMb, 32, 16'777'216);
    addLimit(tr("Processor"), QT_TR_NOOP("cores"), 2, &graph::SandboxLimits::cpus, 0.01, 4096);
    addLimit(tr("Processes"), "", 256, &graph::SandboxLimits::pids, 8, 1'000'000);
    addLimit(tr("Files"), QT_TR_NOOP("MiB"), 1024, &graph::SandboxLimits::tmpfsMb, 1, 16'777'216);
    addLimit(tr("One cell"), QT_TR_NOOP("seconds"), 120, &graph::SandboxLimits::cellSeconds, 0.01, 2'592'000);
    addLimit(tr("Output"), QT_TR_NOOP("MiB a cell"), 8, &graph::SandboxLimits::outputMb, 1, 4096);
    m_column->addWidget(m_limits);
    m_column->addWidget(m_summary);
    connect(&m_document, &GraphDocument::graphEdited, this, &ModeForm::fill);
    connect(&m_document, &GraphDocument::graphReset, this, &ModeForm::fill);
    fill();
}

std::vector<ModeForm::Answer> ModeForm::backendAnswers()
{
    std::vector<Answer> answers{ { std::string(sandbox::kAutoBackend), tr("Automatic"),
                                   tr("Docker, or local") } };
    for (const sandbox::BackendKind& kind : sandbox::backendKinds())
        answers.push_back(
            { std::string(kind.name), translated(kind.title), translated(kind.note), kind.isWeaker });
    return answers;
}

void ModeForm::ask(const QString& question, const std::vector<Answer>& answers, const Read& read,
                   const Write& write)
{
    auto* label = new InkLabel(&Tokens::text2, TextSize::Dense, QFont::Normal, this);
    label->setText(question);
    m_column->addWidget(label);
    auto* row = new QWidget(this); // the parent makes the radio buttons exclusive
    row->setAccessibleName(question);
    auto* cards = new QGridLayout(row);
    cards->setContentsMargins(0, 0, 0, 0);
    cards->setSpacing(6);
    // Four in a row are wider than a narrow inspector.
    const int perRow = answers.size() == 3 ? 3 : 2;
    Question& added = m_questions.emplace_back();
    added.read = read;
    for (const Answer& answer : answers) {
        auto* card = new ChoiceCard(answer.name, answer.meaning, row);
        card->setWarning(answer.warns);
        const int place = static_cast<int>(added.cards.size());
        cards->addWidget(card, place / perRow, place % perRow);
        added.values.push_back(answer.value);
        added.cards.push_back(card);
        connect(card, &QAbstractButton::clicked, this, [this, question, write, value = answer.value] {
            m_document.edit(tr("Execution mode"), [&](graph::Graph& graph) {
                splitMode(graph.sandbox);
                write(graph.sandbox, value);
                tidy(graph.sandbox);
            });
        });
    }
    m_column->addWidget(row);
}

void ModeForm::addConnection()
{
    QLineEdit* name = m_place->addLine(tr("Connection"), tr("the only one"));
    name->setAccessibleName(tr("Connection"));
    name->setToolTip(tr("The name of one of your connections: Session, Connections"));
    name->setMaxLength(40);
    m_fill.push_back([this, name] {
        const graph::SandboxSettings& sandbox = m_document.graph().sandbox;
        showText(*name, QString::fromStdString(sandbox.connection));
        m_place->setVisible(isElsewhere(sandbox));
    });
    connect(name, &QLineEdit::editingFinished, this, [this, name] {
        m_document.edit(tr("Connection"), [text = name->text().trimmed().toStdString()](graph::Graph& graph) {
            graph.sandbox.connection = text;
        });
    });
    m_column->addWidget(m_place);
}

template<typename Number>
void ModeForm::addLimit(const QString& title, const char* unit, double builtIn,
                        std::optional<Number> graph::SandboxLimits::*limit, double least, double most)
{
    const QString shown = QString::number(builtIn);
    QLineEdit* field = m_limits->addLine(
        title, *unit ? tr("%1 %2").arg(shown, tr(unit)) : shown); // the default shows as placeholder
    field->setToolTip(*unit ? tr("in %1; empty: what is built in").arg(tr(unit)) : QString());
    m_fill.push_back([this, field, limit] {
        const std::optional<Number>& value = m_document.graph().sandbox.limits.*limit;
        showText(*field, value ? QString::number(static_cast<double>(*value), 'g', 12) : QString());
        m_limits->setFault(field, {});
    });
    connect(field, &QLineEdit::editingFinished, this, [this, field, limit, least, most] {
        const QString text = field->text().trimmed();
        bool isNumber = false;
        const double value = QLocale::c().toDouble(text, &isNumber);
        const bool whole = !std::is_integral_v<Number> || value == std::floor(value);
        const bool fits = text.isEmpty() || (isNumber && whole && value >= least && value <= most);
        m_limits->setFault(field,
                           fits ? QString()
                                : tr("A number from %1 to %2").arg(least).arg(QString::number(most, 'f', 0)));
        if (fits)
            m_document.edit(tr("Limit"), [&](graph::Graph& graph) {
                graph.sandbox.limits.*limit =
                    text.isEmpty() ? std::nullopt : std::optional<Number>(static_cast<Number>(value));
            });
    });
}

void ModeForm::fill()
{
    const graph::SandboxSettings& sandbox = m_document.graph().sandbox;
    for (const Question& question : m_questions) {
        const std::string value = question.read(sandbox);
        for (std::size_t i = 0; i < question.cards.size(); ++i)
            question.cards[i]->setChecked(question.values[i] == value);
    }
    for (const auto& fillField : m_fill)
        fillField();
    const QString misfit = misfitOf(m_document.graph());
    m_warning->setText(misfit);
    m_warning->setVisible(!misfit.isEmpty());
    m_elsewhere->setText(elsewhereWords(sandbox));
    const bool disk = storageOf(sandbox) == "BIND";
    const std::string access = datasetsOf(sandbox);
    const bool fetches = access == "API" || access == "HYBRID";
    m_summary->setText(
        (disk ? tr("Files are kept") : tr("Files go with the session")) + QStringLiteral(" · ")
        + (fetches ? tr("this program fetches data for it") + QStringLiteral(" · ") : QString())
        + networkOf(sandbox) + QStringLiteral(" · ") + QString::fromStdString(disk ? "bind/" : "tmpfs/")
        + QString::fromStdString(access == "LOCAL_RO" ? "local" : access).toLower());
    setEnabled(m_document.isEditable());
}

} // namespace sg::ui
