#include "ui/graph/forms/graph_form.h"

#include "core/base/json.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/forms/form_rows.h"
#include "ui/graph/forms/graph_settings_form.h"
#include "ui/graph/forms/mode_form.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <array>

namespace sg::ui {
namespace {

// A channel's type and reducer as one choice, with words for the effect.
struct Rule {
    graph::ChannelType type;
    graph::Reducer reducer;
    const char* words;
};

constexpr std::array<Rule, 16> kRules{ {
    { graph::ChannelType::LastValue, graph::Reducer::Last, QT_TRANSLATE_NOOP("GraphForm", "one writer") },
    { graph::ChannelType::Reduce, graph::Reducer::Last, QT_TRANSLATE_NOOP("GraphForm", "the last one wins") },
    { graph::ChannelType::Reduce, graph::Reducer::Append,
      QT_TRANSLATE_NOOP("GraphForm", "append to the list") },
    { graph::ChannelType::Reduce, graph::Reducer::AddMessages,
      QT_TRANSLATE_NOOP("GraphForm", "append by id") },
    { graph::ChannelType::Reduce, graph::Reducer::Add, QT_TRANSLATE_NOOP("GraphForm", "add numbers") },
    { graph::ChannelType::Reduce, graph::Reducer::Mul, QT_TRANSLATE_NOOP("GraphForm", "multiply numbers") },
    { graph::ChannelType::Reduce, graph::Reducer::Max, QT_TRANSLATE_NOOP("GraphForm", "keep the largest") },
    { graph::ChannelType::Reduce, graph::Reducer::Min, QT_TRANSLATE_NOOP("GraphForm", "keep the smallest") },
    { graph::ChannelType::Reduce, graph::Reducer::Concat, QT_TRANSLATE_NOOP("GraphForm", "join texts") },
    { graph::ChannelType::Reduce, graph::Reducer::Merge, QT_TRANSLATE_NOOP("GraphForm", "merge objects") },
    { graph::ChannelType::Reduce, graph::Reducer::Union, QT_TRANSLATE_NOOP("GraphForm", "union of lists") },
    { graph::ChannelType::Topic, graph::Reducer::Last, QT_TRANSLATE_NOOP("GraphForm", "collect (topic)") },
    { graph::ChannelType::Ephemeral, graph::Reducer::Last,
      QT_TRANSLATE_NOOP("GraphForm", "for the next step only") },
    { graph::ChannelType::Untracked, graph::Reducer::Last, QT_TRANSLATE_NOOP("GraphForm", "never stored") },
    { graph::ChannelType::AnyValue, graph::Reducer::Last,
      QT_TRANSLATE_NOOP("GraphForm", "any of equal ones") },
    { graph::ChannelType::Delta, graph::Reducer::Last, QT_TRANSLATE_NOOP("GraphForm", "stored as changes") },
} };

int ruleOf(const graph::Channel& channel)
{
    for (std::size_t i = 0; i < kRules.size(); ++i)
        if (kRules[i].type == channel.type
            && (channel.type != graph::ChannelType::Reduce || kRules[i].reducer == channel.reducer))
            return static_cast<int>(i);
    return -1; // the engine manages this channel
}

constexpr int kLines = 3; // rows of the table for each channel

// The one question that a channel's rule leaves open: its words, and the member with the answer.
struct Detail {
    const char* words = nullptr; // null if nothing is open
    bool graph::Channel::*flag = nullptr; // null means whether the channel is stored as changes
};

Detail detailOf(const graph::Channel& channel)
{
    switch (channel.type) {
    case graph::ChannelType::Topic:
        return { QT_TRANSLATE_NOOP("GraphForm", "keeps what earlier steps collected"),
                 &graph::Channel::accumulate };
    case graph::ChannelType::Ephemeral:
    case graph::ChannelType::Untracked:
        return { QT_TRANSLATE_NOOP("GraphForm", "one writer a step"), &graph::Channel::guard };
    case graph::ChannelType::Reduce:
        if (graph::maySaveChanges(channel))
            return { QT_TRANSLATE_NOOP("GraphForm", "stored as changes"), nullptr };
        return {};
    case graph::ChannelType::LastValue:
    case graph::ChannelType::AnyValue:
    case graph::ChannelType::Delta:
    case graph::ChannelType::RemainingSteps:
    case graph::ChannelType::IsLastStep: break;
    }
    return {};
}

bool savesChanges(const graph::Channel& channel)
{
    return channel.type == graph::ChannelType::Delta || channel.storage == graph::ChannelStorage::Delta;
}

QLabel* headOf(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setFont(uiFont(TextSize::Small));
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

} // namespace

GraphForm::GraphForm(GraphDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_title(new QLabel(this))
    , m_head(new FormRows(this))
    , m_name(m_head->addLine(tr("Name"), tr("as the file")))
    , m_description(m_head->addLine(tr("Description")))
    , m_mode(new ModeForm(document, this))
    , m_settings(new GraphSettingsForm(document, this))
{
    m_title->setFont(uiFont(TextSize::Heading, QFont::DemiBold));
    m_title->setTextFormat(Qt::PlainText);
    auto* add = new QPushButton(icon(QLatin1String("plus")), tr("Add channel"), this);
    add->setProperty("sgFlat", true);
    makeDense(add);
    connect(add, &QPushButton::clicked, this, &GraphForm::addOne);
    auto* heading = new QHBoxLayout;
    auto* channels = new QLabel(tr("State channels"), this);
    channels->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    heading->addWidget(channels, 1);
    heading->addWidget(add);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(10);
    column->addWidget(m_title);
    column->addWidget(m_head);
    column->addLayout(heading);
    column->addSpacing(6);
    column->addWidget(m_mode);
    column->addWidget(m_settings);
    column->addStretch();
    connect(m_name, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_document.edit(
            tr("Graph name"), [&](graph::Graph& graph) { graph.name = text.toStdString(); },
            QStringLiteral("graph/name"));
    });
    connect(m_description, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_document.edit(
            tr("Description"), [&](graph::Graph& graph) { graph.description = text.toStdString(); },
            QStringLiteral("graph/description"));
    });
    connect(&m_document, &GraphDocument::graphEdited, this, &GraphForm::fill);
    connect(&m_document, &GraphDocument::graphReset, this, &GraphForm::fill);
    fill();
}

QWidget* GraphForm::fieldOf(std::string_view pointer) const
{
    const auto stands = [&](const std::string& place) {
        return pointer == place || pointer.starts_with(place + "/");
    };
    if (stands("/sandbox"))
        return m_mode;
    const auto& channels = m_document.graph().channels;
    for (std::size_t i = 0; i < channels.size() && i < m_rows.size(); ++i)
        if (stands("/state/" + jsonPointerToken(channels[i].name)))
            return m_rows[i].name;
    return nullptr;
}

QWidget* GraphForm::modeForm() const
{
    return m_mode;
}

void GraphForm::fill()
{
    const graph::Graph& graph = m_document.graph();
    m_mode->setVisible(m_document.path().empty()); // only the mode of the whole graph counts
    m_title->setText(graph.name.empty() ? tr("Graph") : QString::fromStdString(graph.name));
    showText(*m_name, QString::fromStdString(graph.name));
    showText(*m_description, QString::fromStdString(graph.description));
    if (!m_table || m_rows.size() != graph.channels.size())
        buildRows(graph.channels.size());
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        fillRow(i);
    setEnabled(m_document.isEditable());
}

void GraphForm::buildRows(std::size_t count)
{
    if (m_table) {
        m_table->hide();
        m_table->deleteLater(); // the pressed button may be in it
    }
    m_rows.clear();
    m_table = new QWidget(this);
    m_grid = new QGridLayout(m_table);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(4);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(0, 3);
    m_grid->setColumnStretch(1, 4);
    m_grid->setColumnStretch(2, 2);
    if (count > 0) {
        m_grid->addWidget(headOf(tr("Channel"), m_table), 0, 0);
        m_grid->addWidget(headOf(tr("On two writes"), m_table), 0, 1);
        m_grid->addWidget(headOf(tr("At first (JSON)"), m_table), 0, 2);
    }
    for (std::size_t i = 0; i < count; ++i)
        addRow(i);
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->insertWidget(column->indexOf(m_mode) - 1, m_table);
}

void GraphForm::addRow(std::size_t index)
{
    Row row{ new QLineEdit(m_table), new QComboBox(m_table), new QLineEdit(m_table),
             new QCheckBox(m_table), new QLineEdit(m_table), new QLabel(m_table) };
    row.name->setAccessibleName(tr("Channel name"));
    row.initial->setAccessibleName(tr("First value"));
    row.initial->setPlaceholderText(tr("none"));
    row.rule->setAccessibleName(tr("On two writes"));
    row.rule->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row.rule->setMinimumContentsLength(6);
    row.detail->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // its words give way first
    for (const Rule& rule : kRules)
        row.rule->addItem(tr(rule.words));
    row.fault->setFont(uiFont(TextSize::Small));
    row.fault->setWordWrap(true);
    row.fault->hide();
    auto* remove = new QToolButton(m_table);
    remove->setIcon(icon(QLatin1String("trash"), &Tokens::muted));
    remove->setAutoRaise(true);
    remove->setToolTip(tr("Remove the channel"));
    remove->setAccessibleName(tr("Remove the channel"));
    for (QWidget* field : { static_cast<QWidget*>(row.name), static_cast<QWidget*>(row.rule),
                            static_cast<QWidget*>(row.initial) })
        makeDense(field);
    const int line = static_cast<int>(index) * kLines + 1;
    m_grid->addWidget(row.name, line, 0);
    m_grid->addWidget(row.rule, line, 1);
    m_grid->addWidget(row.initial, line, 2);
    m_grid->addWidget(remove, line, 3);
    m_grid->addWidget(row.detail, line + 1, 0, 1, 2);
    m_grid->addWidget(row.every, line + 1, 2);
    m_grid->addWidget(row.fault, line + 2, 0, 1, 4);
    addDetails(row, index);
    connect(row.name, &QLineEdit::editingFinished, this, [this, index] { rename(index); });
    connect(row.rule, &QComboBox::activated, this, [this, index](int rule) { setRule(index, rule); });
    connect(row.initial, &QLineEdit::editingFinished, this,
            [this, index] { setInitial(index, m_rows[index].initial->text().trimmed()); });
    connect(remove, &QToolButton::clicked, this, [this, index] {
        const std::string name = m_document.graph().channels[index].name;
        m_document.edit(tr("Remove channel"), [&](graph::Graph& graph) { removeChannel(graph, name); });
    });
    m_rows.push_back(row);
}

void GraphForm::fillRow(std::size_t index)
{
    const graph::Channel& channel = m_document.graph().channels[index];
    const Row& row = m_rows[index];
    showText(*row.name, QString::fromStdString(channel.name));
    const QSignalBlocker quiet(row.rule);
    const int rule = ruleOf(channel);
    row.rule->setCurrentIndex(rule);
    row.rule->setEnabled(rule >= 0);
    fillDetails(row, channel);
    showText(*row.initial,
             channel.hasDefault ? QString::fromStdString(toJson(channel.defaultValue, JsonStyle::Spaced))
                                : QString());
}

void GraphForm::addDetails(Row& row, std::size_t index)
{
    makeDense(row.detail);
    makeDense(row.every);
    row.every->setAccessibleName(tr("Stored whole every so many updates"));
    row.every->setToolTip(tr("Stored whole every so many updates"));
    connect(row.detail, &QCheckBox::clicked, this, [this, index](bool checked) {
        m_document.edit(tr("Channel"), [&](graph::Graph& graph) {
            graph::Channel& channel = graph.channels[index];
            const Detail detail = detailOf(channel);
            if (detail.flag)
                channel.*detail.flag = checked;
            else
                channel.storage = checked ? graph::ChannelStorage::Delta : graph::ChannelStorage::Full;
        });
    });
    connect(row.every, &QLineEdit::editingFinished, this,
            [this, index] { setEvery(index, m_rows[index].every->text().trimmed()); });
}

void GraphForm::fillDetails(const Row& row, const graph::Channel& channel)
{
    const Detail detail = detailOf(channel);
    row.detail->setVisible(detail.words != nullptr);
    row.detail->setText(detail.words ? tr(detail.words) : QString());
    row.detail->setAccessibleName(detail.words ? tr(detail.words) : tr("More of the channel"));
    row.detail->setChecked(detail.flag ? channel.*detail.flag : savesChanges(channel));
    row.every->setVisible(savesChanges(channel));
    showText(*row.every, QString::number(channel.snapshotFrequency));
}

void GraphForm::setEvery(std::size_t index, const QString& count)
{
    bool isNumber = false;
    const int updates = count.toInt(&isNumber);
    const bool fits = isNumber && updates >= 1 && updates <= 1'000'000;
    m_rows[index].fault->setText(fits ? QString() : tr("A whole number from 1 to 1,000,000"));
    m_rows[index].fault->setVisible(!fits);
    m_rows[index].every->setAccessibleDescription(m_rows[index].fault->text());
    if (fits && index < m_document.graph().channels.size())
        m_document.edit(tr("Channel"),
                        [&](graph::Graph& graph) { graph.channels[index].snapshotFrequency = updates; });
}

void GraphForm::rename(std::size_t index)
{
    if (index >= m_document.graph().channels.size())
        return;
    const std::string from = m_document.graph().channels[index].name;
    const std::string to = m_rows[index].name->text().trimmed().toStdString();
    const std::string fault = channelNameFault(m_document.graph(), to, from);
    m_rows[index].fault->setText(QString::fromStdString(fault));
    m_rows[index].fault->setVisible(!fault.empty());
    m_rows[index].name->setAccessibleDescription(QString::fromStdString(fault));
    if (fault.empty())
        m_document.edit(tr("Rename channel"), [&](graph::Graph& graph) { renameChannel(graph, from, to); });
    else
        showText(*m_rows[index].name, QString::fromStdString(from));
}

void GraphForm::setRule(std::size_t index, int rule)
{
    m_document.edit(tr("Channel"), [&](graph::Graph& graph) {
        graph::Channel& channel = graph.channels[index];
        channel.type = kRules[static_cast<std::size_t>(rule)].type;
        channel.reducer = kRules[static_cast<std::size_t>(rule)].reducer;
        if (!graph::maySaveChanges(channel))
            channel.storage = graph::ChannelStorage::Full;
    });
}

void GraphForm::setInitial(std::size_t index, const QString& json)
{
    if (index >= m_document.graph().channels.size())
        return;
    auto value = parseJson(json.toStdString());
    const bool bad = !json.isEmpty() && !value;
    m_rows[index].fault->setText(bad ? tr("Not JSON: %1").arg(QString::fromStdString(value.error().message))
                                     : QString());
    m_rows[index].fault->setVisible(bad);
    m_rows[index].initial->setAccessibleDescription(m_rows[index].fault->text());
    if (bad)
        return;
    m_document.edit(tr("First value"), [&](graph::Graph& graph) {
        graph::Channel& channel = graph.channels[index];
        channel.hasDefault = !json.isEmpty();
        channel.defaultValue = json.isEmpty() ? Value() : *value;
    });
}

void GraphForm::addOne()
{
    m_document.edit(tr("Add channel"), [](graph::Graph& graph) { addChannel(graph, "value"); });
    if (!m_rows.empty()) {
        m_rows.back().name->setFocus();
        m_rows.back().name->selectAll();
    }
}

} // namespace sg::ui
