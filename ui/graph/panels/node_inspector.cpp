#include "ui/graph/panels/node_inspector.h"

#include "ui/graph/kind_look.h"
#include "ui/graph/panels/failure_card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/style.h"
#include "ui/widgets/time_format.h"

#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedLayout>
#include <QUrl>
#include <QVBoxLayout>

#include <cmath>
#include <string>
#include <utility>

namespace sg::ui {
namespace {

QString joined(const std::optional<std::vector<std::string>>& names)
{
    QStringList list;
    for (const std::string& name : names.value_or(std::vector<std::string>()))
        list << QString::fromStdString(name);
    return list.isEmpty() ? NodeInspector::tr("nothing") : list.join(QStringLiteral(", "));
}

QString settingOf(const graph::Node& node, const char* key)
{
    const Value* value = node.settings.find(key);
    return value && value->isString() ? QString::fromStdString(value->asString()) : QString();
}

void dye(QLabel& label, Token ink)
{
    QPalette dyed = label.palette();
    if (dyed.color(QPalette::WindowText) == color(ink))
        return;
    dyed.setColor(QPalette::WindowText, color(ink));
    label.setForegroundRole(QPalette::WindowText); // on Base a label would use Text
    label.setPalette(dyed);
}

} // namespace

class NodeInspector::Glyph final : public QWidget {
public:
    explicit Glyph(QWidget* parent)
        : QWidget(parent)
    {
        setFixedSize(20, 20);
    }
    void setKind(StateKind kind)
    {
        m_kind = kind;
        setVisible(kind != StateKind::Idle);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        paintStateGlyph(painter, m_kind, rect(), tokens().base);
    }

private:
    StateKind m_kind = StateKind::Idle;
};

NodeInspector::NodeInspector(QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedLayout(this))
{
    setAccessibleName(tr("Inspector"));
    m_stack->addWidget(new EmptyState(QLatin1String("graph"),
                                      tr("Select a node to see what it runs and how it went."), this));
    m_stack->addWidget(createPage());
}

QWidget* NodeInspector::createPage()
{
    auto* page = new QWidget(this);
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    m_glyph = new Glyph(page);
    m_name = new QLabel(page);
    m_name->setFont(uiFont(TextSize::Heading, QFont::DemiBold));
    m_state = new QLabel(page);
    m_state->setFont(uiFont(TextSize::Dense));
    m_kind = new QLabel(page);
    m_kind->setFont(uiFont(TextSize::Dense));
    m_kind->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : { m_name, m_kind, m_state })
        label->setTextFormat(Qt::PlainText);
    auto* heading = new QHBoxLayout;
    heading->setSpacing(8);
    heading->addWidget(m_glyph);
    heading->addWidget(m_name);
    heading->addWidget(m_kind);
    heading->addWidget(m_state, 1);

    m_facts = new QGridLayout;
    m_facts->setHorizontalSpacing(12);
    m_facts->setVerticalSpacing(4);
    m_facts->setColumnStretch(1, 1);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(12, 12, 12, 0);
    column->setSpacing(10);
    column->addLayout(heading);
    m_failure = new FailureCard(page);
    column->addWidget(m_failure);
    column->addLayout(m_facts);
    column->addWidget(createCode(page), 1);
    column->addStretch();
    return page;
}

void NodeInspector::setFailureVerbs(FailureVerbs verbs)
{
    m_verbs = std::move(verbs);
}

QWidget* NodeInspector::createCode(QWidget* parent)
{
    auto* box = new QWidget(parent);
    m_codeTitle = new QLabel(box);
    m_codeTitle->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_open = new QPushButton(tr("Open file"), box);
    m_open->setProperty("sgLink", true);
    makeDense(m_open);
    connect(m_open, &QPushButton::clicked, this, &NodeInspector::openFile);
    m_code = new QPlainTextEdit(box);
    m_code->setObjectName(QStringLiteral("nodeCode"));
    m_code->setFont(monoFont());
    m_code->setReadOnly(true);
    m_code->setFrameShape(QFrame::NoFrame);
    m_code->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_code->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_raw = new QPushButton(tr("As text"), box);
    m_raw->setObjectName(QStringLiteral("failureText"));
    m_raw->setCheckable(true);
    m_raw->setProperty("sgFlat", true);
    makeDense(m_raw);
    connect(m_raw, &QPushButton::toggled, this, &NodeInspector::showCode);
    auto* head = new QHBoxLayout;
    head->addWidget(m_codeTitle, 1);
    head->addWidget(m_raw);
    head->addWidget(m_open);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(2);
    column->addLayout(head);
    column->addWidget(m_code, 100);
    column->addStretch(1); // keeps the rest at the top if there is no text
    return box;
}

void NodeInspector::setForm(QWidget* form)
{
    m_form = form;
    auto* column = qobject_cast<QVBoxLayout*>(m_stack->widget(1)->layout());
    column->insertWidget(column->indexOf(m_code->parentWidget()) + 1, form); // the error comes first
}

void NodeInspector::clear()
{
    m_stack->setCurrentIndex(0);
}

void NodeInspector::show(const NodeReport& report)
{
    m_report = report;
    showHeading();
    showFacts();
    showFailure();
    showCode();
    m_stack->setCurrentIndex(1);
}

void NodeInspector::showHeading()
{
    const StateKind kind = m_report.state.kind;
    m_glyph->setKind(kind);
    const QString name = QString::fromStdString(m_report.node.name.value);
    m_name->setText(name);
    m_kind->setText(nodeKindTitle(m_report.node.kind));
    QString words = stateWord(kind);
    if (kind == StateKind::Failed && m_report.task && std::isfinite(m_report.task->seconds))
        words = tr("Failed after %1").arg(formatDuration(m_report.task->seconds));
    else if (kind == StateKind::Done && !m_report.state.secondLine.isEmpty())
        words = m_report.state.secondLine;
    m_state->setText(words);
    dye(*m_state, stateToken(kind));
}

QString NodeInspector::file() const
{
    return settingOf(m_report.node, "file");
}

void NodeInspector::showFacts()
{
    while (QLayoutItem* item = m_facts->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int row = 0;
    const auto add = [&](const QString& title, const QString& value) {
        auto* label = new QLabel(title, this);
        auto* text = new QLabel(value, this);
        label->setForegroundRole(QPalette::PlaceholderText);
        text->setTextFormat(Qt::PlainText);
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        for (QLabel* each : { label, text })
            each->setFont(uiFont(TextSize::Dense));
        m_facts->addWidget(label, row, 0, Qt::AlignTop);
        m_facts->addWidget(text, row, 1);
        ++row;
    };
    const graph::Node& node = m_report.node;
    if (!m_form)
        add(tr("Kind"), QString::fromStdString(node.kind));
    if (!m_form && !file().isEmpty())
        add(tr("File"), file());
    if (!m_form && node.reads)
        add(tr("Reads"), joined(node.reads));
    if (!m_form && node.writes)
        add(tr("Writes"), joined(node.writes));
    if (!m_form && !node.retry.empty())
        add(tr("Retry"), tr("up to %1 attempts").arg(node.retry.front().maxAttempts));
    if (const auto& task = m_report.task) {
        add(tr("Step"), QString::number(task->step));
        if (std::isfinite(task->startedMs))
            add(tr("Started"), formatClockMs(task->startedMs));
        if (task->attempts > 1)
            add(tr("Attempts"), QString::number(task->attempts));
    }
}

bool NodeInspector::showsFailure() const
{
    return m_report.state.kind == StateKind::Failed && m_report.task;
}

QWidget* NodeInspector::failureFoot() const
{
    return m_failure->foot();
}

void NodeInspector::showFailure()
{
    const bool failed = showsFailure();
    m_failure->setVisible(failed);
    m_failure->foot()->setVisible(failed);
    if (!failed)
        return;
    const bool isOther = !m_failure->isOf(*m_report.task);
    m_failure->show(
        { m_name->text(), *m_report.task, m_report.folder, m_report.wentIn, m_report.node.reads });
    if (isOther)
        m_failure->setVerbs(m_verbs ? m_verbs(*m_report.task) : std::vector<BannerAction>());
}

void NodeInspector::showCode()
{
    const bool failed = m_report.state.kind == StateKind::Failed && m_report.task;
    const QString trace = failed ? m_report.task->detail : QString();
    const QString program = m_form ? QString() : settingOf(m_report.node, "jq"); // a form has it
    const QString shown = trace.isEmpty() ? program : trace;
    m_codeTitle->setText(!trace.isEmpty()       ? tr("Traceback")
                             : !shown.isEmpty() ? tr("Program (jq)")
                                                : tr("Code"));
    m_code->setAccessibleName(m_codeTitle->text());
    if (m_code->toPlainText() != shown)
        m_code->setPlainText(shown);
    const bool isFolded = !tracebackOf(trace).frames.empty(); // the card has it
    m_raw->setVisible(isFolded);
    m_code->setVisible(!shown.isEmpty() && (!isFolded || m_raw->isChecked()));
    const bool isLinked = !m_form && !file().isEmpty(); // with a form, the code editor offers this
    m_open->setVisible(isLinked);
    m_codeTitle->parentWidget()->setVisible(!shown.isEmpty() || isLinked);
}

void NodeInspector::openFile() const
{
    QDesktopServices::openUrl(QUrl::fromLocalFile(QDir(m_report.folder).filePath(file())));
}

void NodeInspector::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_state)
        dye(*m_state, stateToken(m_report.state.kind));
}

} // namespace sg::ui
