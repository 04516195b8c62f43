#include "ui/code/code_document.h"

#include "ui/code/code_editor.h"
#include "ui/code/code_file_banner.h"
#include "ui/code/code_files.h"
#include "ui/code/code_view.h"
#include "ui/code/find_bar.h"
#include "ui/code/trailing_values.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace sg::ui {
namespace {

constexpr int kCodeHead = 32;
constexpr int kValuesMs = 300;

} // namespace

CodeDocument::CodeDocument(CodeEditor& code, const QString& file, QWidget* parent)
    : QWidget(parent)
    , m_code(code)
    , m_file(file)
    , m_banner(new CodeFileBanner(code.files(), this))
    , m_find(new FindBar(true, this))
    , m_view(code.files().openBeside(file, this))
{
    setObjectName(QStringLiteral("codeDocument"));
    setAccessibleName(tr("Code of %1").arg(file));
    setWindowTitle(file + QStringLiteral("[*]"));
    setFocusProxy(m_view);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(createHead());
    column->addWidget(m_banner);
    column->addWidget(m_find);
    column->addWidget(m_view, 1);
    m_find->setView(m_view);
    m_valuesSoon.setSingleShot(true);
    m_valuesSoon.setInterval(kValuesMs);
    connect(&m_valuesSoon, &QTimer::timeout, this, &CodeDocument::showValues);
    connect(m_view, &CodeView::textChanged, &m_valuesSoon, qOverload<>(&QTimer::start));
    connect(m_view, &CodeView::namesWanted, this, &CodeDocument::namesWanted);
    connect(&m_code, &CodeEditor::valuesChanged, this, &CodeDocument::showValues);
    connect(&m_code, &CodeEditor::namesChanged, this, &CodeDocument::showHead);
    connect(&m_code.files(), &CodeFiles::changed, this, [this](const QString& name) {
        if (name == m_file)
            showHead();
    });
    auto* find = new QAction(tr("Find and replace in the code"), this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, m_find, &FindBar::open);
    addAction(find);
    showHead();
    showValues();
}

QWidget* CodeDocument::createHead()
{
    auto* head = new Strip(kCodeHead, &Tokens::border, this);
    const auto label = [head](bool isQuiet) {
        auto* made = new QLabel(head);
        made->setTextFormat(Qt::PlainText);
        made->setFont(uiFont(TextSize::Dense));
        if (isQuiet)
            made->setForegroundRole(QPalette::PlaceholderText);
        return made;
    };
    m_path = label(false);
    QString path = m_file;
    m_path->setText(path.replace(QLatin1Char('/'), QStringLiteral("  ›  ")));
    m_runsAs = label(true);
    m_note = label(true);
    m_values = new QPushButton(icon(QLatin1String("eye")), QString(), head);
    m_values->setCheckable(true);
    m_values->setChecked(true);
    m_values->setObjectName(QStringLiteral("codeValues"));
    m_values->setToolTip(tr("What names held in the session at the step that is looked at, behind the lines "
                            "that assign them"));
    m_runTo = new QPushButton(icon(QLatin1String("play")), tr("Run to here"), head);
    m_runTo->setToolTip(tr("Runs the graph up to the node of this code (Ctrl+F10)"));
    auto* find = new QPushButton(icon(QLatin1String("search")), QString(), head);
    find->setAccessibleName(tr("Find and replace"));
    find->setToolTip(tr("Find and replace (Ctrl+F)"));
    for (QPushButton* button : { m_values, m_runTo, find }) {
        button->setProperty("sgFlat", true);
        makeDense(button);
    }
    connect(m_values, &QPushButton::toggled, this, &CodeDocument::showValues);
    connect(m_runTo, &QPushButton::clicked, this, [this] { Q_EMIT runToRequested(node()); });
    connect(find, &QPushButton::clicked, m_find, &FindBar::open);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(12, 0, 6, 1);
    row->setSpacing(8);
    row->addWidget(m_path);
    row->addWidget(m_runsAs);
    row->addWidget(m_note, 1);
    row->addWidget(m_values);
    row->addWidget(m_runTo);
    row->addWidget(find);
    return head;
}

void CodeDocument::showHead()
{
    const CodeFiles& files = m_code.files();
    const QStringList nodes = m_code.nodesOf(m_file);
    m_runsAs->setText(nodes.isEmpty() ? tr("no node runs it")
                                      : tr("runs as %1").arg(nodes.join(QStringLiteral(", "))));
    m_runTo->setVisible(!nodes.isEmpty());
    m_note->setText(!m_code.isEditable()           ? tr("read-only")
                        : files.isModified(m_file) ? tr("edited")
                        : files.isNew(m_file)      ? tr("new: made as the graph is saved")
                                                   : QString());
    setWindowModified(files.isModified(m_file));
    m_banner->showState(m_file);
}

void CodeDocument::showValues()
{
    m_valuesSoon.stop();
    const CodeEditor::SessionValues& values = m_code.sessionValues();
    m_values->setVisible(!values.names.empty());
    m_values->setText(tr("Values of step %1").arg(values.step));
    m_view->setValues(m_values->isChecked() ? trailingValues(m_view->text(), values.names)
                                            : std::map<int, QString>());
}

NodeId CodeDocument::node() const
{
    const QStringList nodes = m_code.nodesOf(m_file);
    return nodes.isEmpty() ? NodeId() : NodeId(nodes.front().toStdString());
}

void CodeDocument::openLine(int line)
{
    m_view->goTo(line);
    m_view->setFocus(Qt::OtherFocusReason);
}

void CodeDocument::offerNames(const QString& code, int typed, const QStringList& names)
{
    m_view->offerNames(code, typed, names);
}

} // namespace sg::ui
