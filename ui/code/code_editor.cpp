#include "ui/code/code_editor.h"

#include "core/graph/node_kinds.h"
#include "ui/code/code_files.h"
#include "ui/code/code_marks.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
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

} // namespace

CodeEditor::CodeEditor(GraphDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_files(new CodeFiles(this, this))
    , m_banner(new Banner(this))
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
    column->addWidget(createSearch());
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
        if (name != m_file)
            return;
        showHead();
        showMarks(); // editing may have mended the failed line
    });
    connect(&m_document, &GraphDocument::graphEdited, this, [this] {
        const graph::Node* node = m_document.graph().findNode(m_node);
        if (node && settingOf(*node, "file") != m_file)
            m_fileSoon.start();
        else
            showCode();
    });
    connect(&m_document, &GraphDocument::graphReset, this, &CodeEditor::showCode);
    auto* find = new QAction(tr("Find in the code"), this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, this, [this] {
        m_searchRow->show();
        m_search->setFocus();
        m_search->selectAll();
    });
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
    connect(find, &QToolButton::clicked, this, [this] {
        m_searchRow->setVisible(!m_searchRow->isVisible());
        if (m_searchRow->isVisible())
            m_search->setFocus();
    });
    m_open = new QPushButton(tr("Open in editor"), head);
    m_open->setProperty("sgLink", true);
    m_open->setToolTip(tr("The file in the desktop's own editor; what it saves is taken up here"));
    makeDense(m_open);
    connect(m_open, &QPushButton::clicked, this, &CodeEditor::openOutside);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(12, 0, 6, 0);
    row->setSpacing(8);
    row->addWidget(m_title);
    row->addWidget(m_note, 1);
    row->addWidget(find);
    row->addWidget(m_open);
    return head;
}

QWidget* CodeEditor::createSearch()
{
    m_searchRow = new Strip(kHead, &Tokens::border, this);
    m_search = new QLineEdit(m_searchRow);
    m_search->setPlaceholderText(tr("Find"));
    m_search->setAccessibleName(tr("Find"));
    m_search->setObjectName(QStringLiteral("codeSearch"));
    makeDense(m_search);
    auto* row = new QHBoxLayout(m_searchRow);
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(4);
    row->addWidget(m_search, 1);
    for (const bool forward : { false, true }) {
        auto* step = new QToolButton(m_searchRow);
        step->setIcon(icon(forward ? QLatin1String("down") : QLatin1String("up")));
        step->setAutoRaise(true);
        step->setAccessibleName(forward ? tr("Next") : tr("Previous"));
        step->setToolTip(step->accessibleName());
        connect(step, &QToolButton::clicked, this, [this, forward] { search(forward); });
        row->addWidget(step);
    }
    connect(m_search, &QLineEdit::returnPressed, this, [this] { search(true); });
    auto* close = new QAction(m_search);
    close->setShortcut(Qt::Key_Escape);
    close->setShortcutContext(Qt::WidgetShortcut);
    connect(close, &QAction::triggered, this, [this] {
        m_searchRow->hide();
        if (CodeView* view = current())
            view->setFocus();
    });
    m_search->addAction(close);
    m_searchRow->hide();
    return m_searchRow;
}

void CodeEditor::setFolder(const QString& folder)
{
    m_folder = folder;
    m_file.clear();
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
    m_traceback = traceback;
    m_failure = message;
    showMarks();
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
}

void CodeEditor::showFile(const QString& name)
{
    if (name == m_file)
        return;
    m_file = name;
    CodeView* view = m_files->open(name);
    if (m_stack->indexOf(view) < 0) {
        m_stack->addWidget(view);
        connect(view, &CodeView::textChanged, this, [this] {
            if (!m_traceback.isEmpty())
                m_marksSoon.start();
        });
    }
    m_stack->setCurrentWidget(view);
    m_files->closeUnused(name);
}

void CodeEditor::showHead()
{
    const bool isFile = !m_file.isEmpty();
    m_title->setText(isFile ? m_file : tr("Program (jq)"));
    m_open->setVisible(isFile && !m_files->isNew(m_file));
    const bool isWritable = m_document.isEditable();
    m_note->setText(!isWritable                                 ? tr("read-only")
                        : isFile && m_files->isModified(m_file) ? tr("edited")
                        : isFile && m_files->isNew(m_file)      ? tr("new: made as the graph is saved")
                                                                : QString());
    showConflict();
}

void CodeEditor::showConflict()
{
    m_banner->clearActions();
    m_banner->hide();
    if (m_file.isEmpty())
        return;
    switch (m_files->state(m_file)) {
    case CodeFiles::State::Reading:
    case CodeFiles::State::Ready: return;
    case CodeFiles::State::Refused:
        m_banner->showMessage(Banner::Kind::Warning, m_files->fault(m_file).what);
        return;
    case CodeFiles::State::Recoverable:
        m_banner->showMessage(Banner::Kind::Info, tr("**Edits that were not saved were found.**"));
        connect(m_banner->addButton(tr("Recover")), &QPushButton::clicked, this,
                [this] { m_files->recover(m_file); });
        connect(m_banner->addLink(tr("Discard")), &QPushButton::clicked, this,
                [this] { m_files->forget(m_file); });
        return;
    case CodeFiles::State::Conflicted:
        m_banner->showMessage(Banner::Kind::Warning,
                              tr("**Changed by another program** while it was edited here."));
        connect(m_banner->addButton(tr("Keep mine")), &QPushButton::clicked, this,
                [this] { m_files->keepMine(m_file); });
        connect(m_banner->addLink(tr("Take the file's")), &QPushButton::clicked, this,
                [this] { m_files->takeTheirs(m_file); });
        return;
    }
}

void CodeEditor::showMarks()
{
    CodeView* view = current();
    const auto& nodes = m_document.graph().nodes;
    const auto node = std::ranges::find(nodes, m_node, &graph::Node::name);
    if (!view || node == nodes.end())
        return;
    const bool isFile = !m_file.isEmpty();
    auto marks =
        problemMarks(m_problems, static_cast<std::size_t>(node - nodes.begin()), isFile ? "file" : kProgram);
    for (CodeMark& mark : pythonMarks(m_problems, m_file))
        marks.push_back(std::move(mark));
    const auto isTold = [&](const CodeMark& failure) { // a check and a run may report the same line
        return std::ranges::any_of(marks, [&](const CodeMark& mark) {
            return mark.line == failure.line
                && mark.message.section(QLatin1Char(':'), 0, 0)
                == failure.message.section(QLatin1Char(':'), 0, 0);
        });
    };
    if (isFile && !m_traceback.isEmpty())
        for (CodeMark& mark : tracebackMarks(m_traceback, m_file, m_failure, view->text()))
            if (!isTold(mark))
                marks.push_back(std::move(mark));
    view->setMarks(marks);
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

void CodeEditor::setSessionNames(const QStringList& names)
{
    if (names == m_sessionNames)
        return;
    m_sessionNames = names;
    giveWords();
}

void CodeEditor::giveWords()
{
    CompletionWords words;
    for (const graph::Channel& channel : m_document.graph().channels)
        words.channels << QString::fromStdString(channel.name);
    words.names = m_sessionNames;
    m_files->setWords(words);
    m_program->setWords(words);
}

void CodeEditor::search(bool forward)
{
    CodeView* view = current();
    if (!view)
        return;
    const bool found = view->find(m_search->text(), forward) || m_search->text().isEmpty();
    QPalette dyed = m_search->palette();
    dyed.setColor(QPalette::Text, color(found ? &Tokens::text : &Tokens::failed));
    m_search->setPalette(dyed);
}

void CodeEditor::openOutside() const
{
    QDesktopServices::openUrl(QUrl::fromLocalFile(QDir(m_folder).filePath(m_file)));
}

void CodeEditor::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_search)
        m_search->setPalette({}); // resets the former theme's palette
}

} // namespace sg::ui
