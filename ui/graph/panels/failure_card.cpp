#include "ui/graph/panels/failure_card.h"

#include "core/base/json.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/rich_sentence.h"
#include "ui/widgets/style.h"

#include <QClipboard>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kFrameRow = 22;
constexpr int kMostFrameRows = 14; // more are scrolled
constexpr int kVerbsInRow = 2;
constexpr qint64 kLargestShownFile = 2 * 1024 * 1024; // of which lines are shown
constexpr qsizetype kLongestShown = 300;

QTreeWidget* quietTree(const QString& name, const char* objectName, int columns, QWidget* parent)
{
    auto* tree = new QTreeWidget(parent);
    tree->setObjectName(QLatin1String(objectName));
    tree->setAccessibleName(name);
    tree->setColumnCount(columns);
    tree->setHeaderHidden(true);
    tree->setFrameShape(QFrame::NoFrame);
    tree->setUniformRowHeights(true);
    tree->setIndentation(scaledLength(14));
    tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
    tree->setTabKeyNavigation(false);
    tree->setFont(uiFont(TextSize::Dense));
    tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    return tree;
}

QLabel* sectionTitle(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    label->setTextFormat(Qt::PlainText);
    return label;
}

// The line and its neighbours, as they are in the project's file now; the line alone where it cannot be read.
std::vector<std::pair<int, QString>> linesAround(const QString& folder, const TraceFrame& frame)
{
    std::vector<std::pair<int, QString>> lines;
    QFile file(QDir(folder).filePath(frame.file));
    const bool isInside = !folder.isEmpty() && !QDir::isAbsolutePath(frame.file)
        && !QDir::cleanPath(frame.file).startsWith(QLatin1String(".."));
    if (isInside && file.size() <= kLargestShownFile && file.open(QIODevice::ReadOnly)) {
        const QStringList all = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
        const QString now = all.value(frame.line - 1).trimmed();
        if (frame.code.isEmpty() || now == frame.code) // else it was changed since
            for (int line = std::max(1, frame.line - 1); line <= frame.line + 1 && line <= all.size(); ++line)
                lines.emplace_back(line, all[line - 1]);
    }
    if (lines.empty() && !frame.code.isEmpty())
        lines.emplace_back(frame.line, frame.code);
    return lines;
}

} // namespace

class FailureCard::Message final : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(color(&Tokens::failed));
        painter.setBrush(color(&Tokens::failedTint));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3.5, 3.5);
        painter.fillRect(QRectF(1, 1, 3, height() - 2), color(&Tokens::failed));
    }
};

FailureCard::FailureCard(QWidget* parent)
    : QWidget(parent)
    , m_message(new Message(this))
    , m_why(new QLabel(m_message))
    , m_framesTitle(sectionTitle(this))
    , m_frames(quietTree(tr("Traceback"), "failureFrames", 1, this))
    , m_stateTitle(sectionTitle(this))
    , m_state(quietTree(tr("State that went in"), "failureState", 2, this))
    , m_foot(new QWidget(this))
    , m_changed(sectionTitle(m_foot))
    , m_verbs(new QGridLayout)
{
    setObjectName(QStringLiteral("nodeFailure"));
    m_why->setFont(uiFont(TextSize::Dense));
    m_why->setTextFormat(Qt::RichText);
    m_why->setWordWrap(true);
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_frames->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_frames->header()->setStretchLastSection(false);
    m_state->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    auto* inside = new QVBoxLayout(m_message);
    inside->setContentsMargins(14, 10, 12, 10);
    inside->addWidget(m_why);
    m_verbs->setSpacing(4);
    m_verbs->setColumnStretch(kVerbsInRow, 1);
    m_foot->setObjectName(QStringLiteral("failureVerbs"));
    m_changed->setObjectName(QStringLiteral("failureFileChanged"));
    m_changed->setWordWrap(true);
    m_changed->hide();
    auto* foot = new QVBoxLayout(m_foot);
    foot->setContentsMargins(0, 0, 0, 0);
    foot->setSpacing(4);
    foot->addWidget(m_changed);
    foot->addLayout(m_verbs);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_message);
    column->addWidget(m_framesTitle);
    column->addWidget(m_frames);
    column->addWidget(m_stateTitle);
    column->addWidget(m_state);
    column->addWidget(m_foot);
    for (QTreeWidget* tree : { m_frames, m_state }) {
        connect(tree, &QTreeWidget::itemExpanded, this, [this, tree] { fitRows(*tree); });
        connect(tree, &QTreeWidget::itemCollapsed, this, [this, tree] { fitRows(*tree); });
    }
    setVerbs({});
}

bool FailureCard::isOf(const TaskRow& task) const
{
    return m_report.task.task == task.task && m_report.task.checkpoint == task.checkpoint
        && m_report.task.detail == task.detail && m_report.task.attempts == task.attempts;
}

void FailureCard::show(const FailureReport& report)
{
    const bool isKnown = isOf(report.task) && m_report.node == report.node;
    const bool isSameState = isKnown && m_report.wentIn == report.wentIn && m_report.reads == report.reads;
    m_report = report;
    if (!isKnown)
        m_trace = tracebackOf(report.task.detail);
    showWhetherChanged();
    if (isKnown) { // what is opened stays open
        if (!isSameState)
            fillState();
        return;
    }
    const QString why = report.task.error.isEmpty() ? tr("no reason was given") : report.task.error;
    m_why->setText(richSentence(
        tr("Node **%1** (step %2) failed: %3").arg(report.node, QString::number(report.task.step), why)));
    setAccessibleName(tr("Node %1 failed: %2").arg(report.node, why));
    fillFrames();
    fillState();
}

// The innermost call of the project's own is where a fix is expected.
void FailureCard::showWhetherChanged()
{
    const auto frame =
        std::ranges::find(m_trace.frames.rbegin(), m_trace.frames.rend(), false, &TraceFrame::isLibrary);
    const double failedMs = m_report.task.startedMs + m_report.task.seconds * 1000;
    bool isChanged = false;
    if (frame != m_trace.frames.rend() && !m_report.folder.isEmpty() && std::isfinite(failedMs)) {
        const QFileInfo file(QDir(m_report.folder), frame->file);
        isChanged = file.exists() && static_cast<double>(file.lastModified().toMSecsSinceEpoch()) > failedMs;
        m_changed->setText(tr("%1 changed after this failure.").arg(frame->file));
    }
    m_changed->setVisible(isChanged);
}

void FailureCard::fillFrames()
{
    m_frames->clear();
    m_framesTitle->setText(tr("Traceback"));
    const auto& frames = m_trace.frames;
    // The calls are read from the failure outwards: the last of the project's own comes first.
    std::vector<TraceFrame> libraries;
    const auto fold = [&] {
        if (libraries.empty())
            return;
        std::ranges::reverse(libraries); // in the order of the calls
        auto* row = new QTreeWidgetItem(m_frames, { librarySummary(libraries) });
        row->setForeground(0, color(&Tokens::muted));
        for (const TraceFrame& frame : libraries)
            addFrame(frame, row);
        libraries.clear();
    };
    bool isFirst = true;
    std::vector<TraceFrame> innermost; // libraries that own code called: below it
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
        if (frame->isLibrary) {
            libraries.push_back(*frame);
            continue;
        }
        if (isFirst)
            innermost = std::exchange(libraries, {});
        fold();
        addFrame(*frame, nullptr);
        if (std::exchange(isFirst, false))
            m_frames->topLevelItem(m_frames->topLevelItemCount() - 1)->setExpanded(true);
    }
    fold();
    libraries = innermost;
    fold();
    m_framesTitle->setVisible(!frames.empty());
    m_frames->setVisible(!frames.empty());
    fitRows(*m_frames);
}

void FailureCard::addFrame(const TraceFrame& frame, QTreeWidgetItem* above)
{
    const QString text = frame.function.isEmpty()
        ? QStringLiteral("%1:%2").arg(frame.file).arg(frame.line)
        : tr("%1:%2 in %3").arg(frame.file, QString::number(frame.line), frame.function);
    auto* row = above ? new QTreeWidgetItem(above, { text }) : new QTreeWidgetItem(m_frames, { text });
    row->setToolTip(0, text);
    if (frame.isLibrary) {
        row->setForeground(0, color(&Tokens::muted));
        return;
    }
    QFont bold = m_frames->font();
    bold.setWeight(QFont::DemiBold);
    row->setFont(0, bold);
    for (const auto& [line, code] : linesAround(m_report.folder, frame)) {
        auto* shown = new QTreeWidgetItem(row, { QStringLiteral("%1  %2").arg(line, 4).arg(code) });
        shown->setFont(0, monoFont());
        if (line == frame.line) {
            shown->setBackground(0, color(&Tokens::failedTint));
            shown->setForeground(0, color(&Tokens::text));
        }
    }
}

void FailureCard::fillState()
{
    m_state->clear();
    const bool isKnown = m_report.wentIn && m_report.wentIn->isMap();
    m_stateTitle->setVisible(isKnown);
    m_state->setVisible(isKnown);
    if (!isKnown)
        return;
    m_stateTitle->setText(m_report.reads ? tr("State that went in, what %1 reads").arg(m_report.node)
                                         : tr("State that went in"));
    for (const auto& [key, value] : m_report.wentIn->asMap()) {
        const std::string name = key.isString() ? key.asString() : toJson(key);
        if (m_report.reads && std::ranges::find(*m_report.reads, name) == m_report.reads->end())
            continue;
        QString text = QString::fromStdString(toJson(value, JsonStyle::Spaced));
        if (text.size() > kLongestShown)
            text = text.left(kLongestShown) + QStringLiteral("…");
        auto* row = new QTreeWidgetItem(m_state, { QString::fromStdString(name), text });
        row->setFont(1, monoFont());
        row->setToolTip(1, text);
    }
    fitRows(*m_state);
}

// The card scrolls with what is around it, so each list is as high as its rows.
void FailureCard::fitRows(QTreeWidget& tree) const
{
    int rows = 0;
    for (auto* row = tree.topLevelItem(0); row != nullptr; row = tree.itemBelow(row))
        ++rows;
    const int height = std::max(scaledLength(kFrameRow), tree.sizeHintForRow(0));
    tree.setFixedHeight(height * std::clamp(rows, 1, kMostFrameRows) + 4);
}

void FailureCard::setVerbs(const std::vector<BannerAction>& verbs)
{
    for (QWidget* button : std::exchange(m_buttons, {})) {
        button->hide();
        button->deleteLater(); // it may be emitting the signal that leads here
    }
    const auto add = [this](const QString& text, const QString& key, auto done) {
        auto* button = new QPushButton(text, m_foot);
        makeDense(button);
        if (!key.isEmpty())
            button->setToolTip(key);
        connect(button, &QPushButton::clicked, this, done);
        const int at = static_cast<int>(m_buttons.size());
        m_verbs->addWidget(button, at / kVerbsInRow, at % kVerbsInRow);
        m_buttons.push_back(button);
        return button;
    };
    for (const BannerAction& verb : verbs) {
        QPushButton* button = add(verb.text, verb.key, verb.run);
        if (verb.isDefault)
            button->setDefault(true);
    }
    add(tr("Copy as Markdown"), {}, [this] { QGuiApplication::clipboard()->setText(asMarkdown()); });
}

QString FailureCard::asMarkdown() const
{
    // A fence that is longer than any run of backticks in the text cannot be closed by it.
    QString fence = QStringLiteral("```");
    while (m_report.task.detail.contains(fence))
        fence += QLatin1Char('`');
    return tr("**%1** (step %2) failed: %3")
               .arg(m_report.node, QString::number(m_report.task.step), m_report.task.error)
        + QStringLiteral("\n\n%1\n%2\n%1\n").arg(fence, m_report.task.detail.trimmed());
}

} // namespace sg::ui
