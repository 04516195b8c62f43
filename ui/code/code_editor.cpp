#include "ui/code/code_editor.h"

#include "core/graph/node_kinds.h"
#include "ui/code/code_file_banner.h"
#include "ui/code/code_files.h"
#include "ui/code/code_marks.h"
#include "ui/code/find_bar.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/quick_fixes.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedLayout>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kHead = 32;
constexpr int kFileMs = 250;
constexpr int kMarksMs = 300;
constexpr const char* kProgram = "jq"; // the setting that holds a program

QString settingOf(const graph::Node& node, const char* key)
{
    const Value* value = node.settings.find(key);
    return value && value->isString() ? QString::fromStdString(value->asString()) : QString();
}

bool namesIn(const graph::Graph& graph, const std::string& file)
{
    return std::ranges::any_of(graph.nodes, [&file](const graph::Node& node) {
        const std::string* code = graph::codeFileOf(node);
        return (code != nullptr && *code == file) || (node.subgraph && namesIn(*node.subgraph, file));
    });
}

} // namespace

CodeEditor::CodeEditor(GraphDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_files(new CodeFiles(this, this))
    , m_banner(new CodeFileBanner(*m_files, this))
    , m_find(new FindBar(false, this))
    , m_stack(new QStackedLayout)
    , m_program(new CodeView(CodeLanguage::Jq, this))
{
    setObjectName(QStringLiteral("codeEditor"));
    setAccessibleName(tr("Code"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(createHead());
    column->addWidget(m_banner);
    column->addWidget(m_find);
    column->addLayout(m_stack, 1);
    m_stack->addWidget(m_program);
    m_fileSoon.setSingleShot(true);
    m_fileSoon.setInterval(kFileMs);
    connect(&m_fileSoon, &QTimer::timeout, this, &CodeEditor::showCode);
    m_marksSoon.setSingleShot(true);
    m_marksSoon.setInterval(kMarksMs);
    connect(&m_marksSoon, &QTimer::timeout, this, &CodeEditor::showMarks);
    connect(m_program, &CodeView::textChanged, this, &CodeEditor::takeProgram);
    connect(m_files, &CodeFiles::changed, this, [this](const QString& name) {
        if (name == m_file)
            showHead();
        if (name == m_file || m_failures.contains(name))
            showMarks(); // editing may have mended the failed line
    });
    connect(m_files, &CodeFiles::edited, this, [this](const QString& name) {
        if (m_failures.contains(name))
            m_marksSoon.start();
    });
    connect(m_files, &CodeFiles::verbChosen, this,
            [this](const QString&, const CodeMark& mark, int) { followVerb(mark); });
    connect(&m_document, &GraphDocument::graphEdited, this, [this] {
        const graph::Node* node = m_document.graph().findNode(m_node);
        if (node && settingOf(*node, "file") != m_file)
            m_fileSoon.start();
        else
            showCode();
    });
    connect(&m_document, &GraphDocument::graphReset, this, &CodeEditor::showCode);
    for (const auto& changed : { &GraphDocument::graphEdited, &GraphDocument::graphReset })
        connect(&m_document, changed, this, &CodeEditor::namesChanged);
    auto* find = new QAction(tr("Find in the code"), this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, m_find, &FindBar::open);
    addAction(find);
}

QWidget* CodeEditor::createHead()
{
    auto* head = new Strip(kHead, &Tokens::border, this);
    m_title = new QLabel(head);
    m_title->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_note = new QLabel(head);
    m_note->setFont(uiFont(TextSize::Dense));
    m_note->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : { m_title, m_note })
        label->setTextFormat(Qt::PlainText);
    auto* find = new QToolButton(head);
    find->setIcon(icon(QLatin1String("search")));
    find->setAutoRaise(true);
    find->setAccessibleName(tr("Find in the code"));
    find->setToolTip(tr("Find in the code (Ctrl+F)"));
    connect(find, &QToolButton::clicked, m_find, &FindBar::open);
    m_open = new QPushButton(tr("Open in a tab"), head);
    m_open->setProperty("sgLink", true);
    m_open->setToolTip(tr("Edit the file in the middle of the window"));
    makeDense(m_open);
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT openRequested(m_file); });
    m_outside = new QToolButton(head);
    m_outside->setIcon(icon(QLatin1String("float")));
    m_outside->setAutoRaise(true);
    m_outside->setAccessibleName(tr("Open in editor"));
    m_outside->setToolTip(tr("The file in the desktop's own editor; what it saves is taken up here"));
    connect(m_outside, &QToolButton::clicked, this, &CodeEditor::openOutside);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(12, 0, 6, 0);
    row->setSpacing(8);
    row->addWidget(m_title);
    row->addWidget(m_note, 1);
    row->addWidget(find);
    row->addWidget(m_open);
    row->addWidget(m_outside);
    return head;
}

void CodeEditor::setFolder(const QString& folder)
{
    m_folder = folder;
    m_file.clear();
    m_failures.clear();
    m_values = {};
    m_files->closeAll();
    showCode();
}

void CodeEditor::setNode(const NodeId& node)
{
    if (node == m_node)
        return;
    m_node = node;
    showCode();
}

bool CodeEditor::hasCode() const
{
    return m_hasCode;
}

void CodeEditor::setProblems(const std::vector<graph::Problem>& problems)
{
    m_problems = problems;
    showMarks();
}

void CodeEditor::openLine(int line)
{
    if (CodeView* shown = current()) {
        shown->goTo(line);
        shown->setFocus(Qt::OtherFocusReason);
    }
}

void CodeEditor::setFailure(const QString& traceback, const QString& message)
{
    if (m_file.isEmpty())
        return;
    const auto known = m_failures.find(m_file);
    const bool isSame = known == m_failures.end()
        ? traceback.isEmpty()
        : known->second.traceback == traceback && known->second.message == message;
    if (isSame)
        return;
    if (traceback.isEmpty())
        m_failures.erase(m_file);
    else
        m_failures[m_file] = { traceback, message };
    showMarks();
}

QStringList CodeEditor::nodesOf(const QString& file) const
{
    QStringList nodes;
    for (const graph::Node& node : m_document.graph().nodes)
        if (const std::string* code = graph::codeFileOf(node); code != nullptr && *code == file.toStdString())
            nodes << QString::fromStdString(node.name.value);
    return nodes;
}

bool CodeEditor::names(const QString& file) const
{
    return namesIn(m_document.whole(), file.toStdString());
}

bool CodeEditor::isEditable() const
{
    return m_document.isEditable();
}

CodeView* CodeEditor::current() const
{
    return qobject_cast<CodeView*>(m_stack->currentWidget());
}

void CodeEditor::showCode()
{
    m_fileSoon.stop();
    const graph::Node* node = m_document.graph().findNode(m_node);
    const graph::NodeSetting* program =
        graph::findSetting(node ? graph::findNodeKind(node->kind) : nullptr, graph::SettingType::Program);
    const bool isProgram = program && program->place == graph::SettingPlace::Editor;
    const std::string* code = node ? graph::codeFileOf(*node) : nullptr;
    const QString file = code ? QString::fromStdString(*code) : QString();
    const bool hasCode = isProgram || !file.isEmpty();
    giveWords();
    m_files->setReadOnly(!m_document.isEditable());
    if (isProgram)
        showProgram(*node);
    else if (hasCode)
        showFile(file);
    else
        m_file.clear();
    showHead();
    showMarks();
    if (std::exchange(m_hasCode, hasCode) != hasCode)
        Q_EMIT shownChanged();
}

void CodeEditor::showProgram(const graph::Node& node)
{
    m_file.clear();
    const QString text = settingOf(node, kProgram);
    const QString shown = QString::fromStdString(node.name.value);
    if (m_program->property("node").toString() == shown)
        m_program->replaceText(text);
    else
        m_program->setText(text);
    m_program->setProperty("node", shown); // the node of the shown program
    m_program->setReadOnly(!m_document.isEditable());
    m_stack->setCurrentWidget(m_program);
    m_find->setView(m_program);
}

void CodeEditor::showFile(const QString& name)
{
    if (name == m_file)
        return;
    m_file = name;
    CodeView* view = m_files->open(name);
    if (m_stack->indexOf(view) < 0)
        m_stack->addWidget(view);
    m_stack->setCurrentWidget(view);
    m_find->setView(view);
    m_files->closeUnused(name);
}

void CodeEditor::showHead()
{
    const bool isFile = !m_file.isEmpty();
    m_title->setText(isFile ? m_file : tr("Program (jq)"));
    m_open->setVisible(isFile);
    m_outside->setVisible(isFile && !m_files->isNew(m_file));
    const bool isWritable = m_document.isEditable();
    m_note->setText(!isWritable                                 ? tr("read-only")
                        : isFile && m_files->isModified(m_file) ? tr("edited")
                        : isFile && m_files->isNew(m_file)      ? tr("new: made as the graph is saved")
                                                                : QString());
    m_banner->showState(m_file);
}

void CodeEditor::showMarks()
{
    for (const QString& file : m_files->names())
        m_files->open(file)->setMarks(marksOf(file));
    const auto& nodes = m_document.graph().nodes;
    const auto node = std::ranges::find(nodes, m_node, &graph::Node::name);
    if (!m_file.isEmpty() || node == nodes.end())
        return;
    auto marks = problemMarks(m_problems, static_cast<std::size_t>(node - nodes.begin()), kProgram);
    addVerbs(marks);
    m_program->setMarks(marks);
}

std::vector<CodeMark> CodeEditor::marksOf(const QString& file) const
{
    std::vector<CodeMark> marks;
    const auto& nodes = m_document.graph().nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (const std::string* code = graph::codeFileOf(nodes[i]);
            code != nullptr && *code == file.toStdString())
            for (CodeMark& mark : problemMarks(m_problems, i, "file"))
                if (std::ranges::find(marks, mark.message, &CodeMark::message) == marks.end())
                    marks.push_back(std::move(mark));
    for (CodeMark& mark : pythonMarks(m_problems, file))
        marks.push_back(std::move(mark));
    addVerbs(marks);
    const auto isTold = [&](const CodeMark& failure) { // a check and a run may report the same line
        return std::ranges::any_of(marks, [&](const CodeMark& mark) {
            return mark.line == failure.line
                && mark.message.section(QLatin1Char(':'), 0, 0)
                == failure.message.section(QLatin1Char(':'), 0, 0);
        });
    };
    if (const auto failure = m_failures.find(file); failure != m_failures.end())
        for (CodeMark& mark : tracebackMarks(failure->second.traceback, file, failure->second.message,
                                             m_files->open(file)->text()))
            if (!isTold(mark))
                marks.push_back(std::move(mark));
    return marks;
}

// Adds the same verbs as the list of problems has.
void CodeEditor::addVerbs(std::vector<CodeMark>& marks) const
{
    for (CodeMark& mark : marks)
        if (mark.problem >= 0 && m_document.isEditable())
            if (const auto fix =
                    quickFixOf(m_document.graph(), m_problems[static_cast<std::size_t>(mark.problem)]))
                mark.verbs << fix->title;
}

void CodeEditor::followVerb(const CodeMark& mark)
{
    const auto problem = static_cast<std::size_t>(mark.problem);
    if (mark.problem < 0 || problem >= m_problems.size())
        return;
    const auto fix = quickFixOf(m_document.graph(), m_problems[problem]);
    if (fix && mark.verbs.contains(fix->title)) // else it is another problem by now
        m_document.editPlaced(fix->title, fix->change);
}

void CodeEditor::takeProgram()
{
    const QString text = m_program->text();
    m_document.edit(
        tr("Program"),
        [&](graph::Graph& graph) {
            graph::Node* node = nodeIn(graph, m_node);
            if (node && text.isEmpty())
                node->settings.erase(Value(kProgram));
            else if (node)
                node->settings.set(Value(kProgram), Value(text.toStdString()));
        },
        QString::fromStdString(m_node.value) + QLatin1Char('/') + QLatin1String(kProgram));
}

void CodeEditor::setSessionValues(const SessionValues& values)
{
    m_values = values;
    giveWords();
    Q_EMIT valuesChanged();
}

void CodeEditor::giveWords()
{
    CompletionWords words;
    for (const graph::Channel& channel : m_document.graph().channels)
        words.channels << QString::fromStdString(channel.name);
    for (const VariableRow& name : m_values.names)
        if (name.change != WorldChange::Removed)
            words.names << name.name;
    m_files->setWords(words);
    m_program->setWords(words);
}

void CodeEditor::openOutside() const
{
    QDesktopServices::openUrl(QUrl::fromLocalFile(QDir(m_folder).filePath(m_file)));
}

} // namespace sg::ui
