#include "ui/world/file_editor.h"

#include "ui/widgets/banner.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace sg::ui {

FileEditor::FileEditor(QWidget* parent)
    : QWidget(parent)
    , m_banner(new Banner(this))
    , m_edit(new QPlainTextEdit(this))
{
    auto* bar = new Strip(32, &Tokens::subtle, this);
    m_path = new ElidedLabel({}, bar, Qt::ElideMiddle);
    m_path->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_save = new QPushButton(icon(QLatin1String("save")), tr("Save"), bar);
    m_save->setObjectName(QStringLiteral("sessionFileSave"));
    m_save->setToolTip(tr("Write it into the live session (Ctrl+S)"));
    auto* closing = new QPushButton(icon(QLatin1String("close")), {}, bar);
    closing->setObjectName(QStringLiteral("sessionFileClose"));
    closing->setAccessibleName(tr("Close the file"));
    closing->setToolTip(tr("Close the file"));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(4);
    row->addWidget(m_path, 1);
    for (QPushButton* button : { m_save, closing }) {
        button->setProperty("sgFlat", true);
        makeDense(button);
        row->addWidget(button);
    }
    m_edit->setObjectName(QStringLiteral("sessionFileText"));
    m_edit->setFont(monoFont());
    m_edit->setFrameShape(QFrame::NoFrame);
    m_edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_edit->document()->setDocumentMargin(8);
    m_edit->document()->setModified(false); // setting the margin counts as a change
    m_banner->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_banner);
    column->addWidget(m_edit, 1);
    m_edit->installEventFilter(this);
    connect(m_save, &QPushButton::clicked, this, &FileEditor::save);
    connect(closing, &QPushButton::clicked, this, &FileEditor::finish);
    connect(m_edit->document(), &QTextDocument::modificationChanged, this, &FileEditor::showState);
    connect(m_edit->document(), &QTextDocument::modificationChanged, this, &FileEditor::modifiedChanged);
}

// Ctrl+S saves this text, not what the window's Save saves. A QShortcut would be ambiguous with that one.
bool FileEditor::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (!isKey || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Save))
        return QWidget::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress && isModified())
        save();
    return true;
}

bool FileEditor::isModified() const
{
    return m_edit->document()->isModified();
}

bool FileEditor::awaits(const SessionText& text) const
{
    return m_isReloading && text.path == m_text.path && text.thread == m_text.thread;
}

void FileEditor::open(const SessionText& text)
{
    if (isModified() && awaits(text) && !text.problem.isEmpty()) { // the typed text exists only here
        m_isReloading = false;
        m_edit->setReadOnly(false);
        showProblem(text.problem, true);
        return;
    }
    m_text = text;
    m_isSaving = false;
    m_isReloading = false;
    m_banner->hide();
    m_edit->setPlainText(text.text);
    m_edit->setReadOnly(!text.isLive || !text.problem.isEmpty());
    m_edit->setPlaceholderText(text.problem);
    m_edit->setAccessibleName(tr("Text of %1").arg(text.path));
    showState();
}

void FileEditor::showState()
{
    const bool isReadable = m_text.problem.isEmpty();
    m_path->setFullText(!isReadable         ? m_text.path
                            : isModified()  ? tr("%1, not saved").arg(m_text.path)
                            : m_text.isLive ? m_text.path
                                            : tr("%1, as it was kept").arg(m_text.path));
    m_save->setVisible(m_text.isLive && isReadable);
    m_save->setEnabled(isModified());
}

void FileEditor::save()
{
    if (m_isSaving) // saved() follows from the running save
        return;
    if (!m_text.isLive || !isModified() || m_isReloading) {
        Q_EMIT saved(!isModified());
        return;
    }
    m_isSaving = true;
    m_saving = m_edit->toPlainText();
    m_save->setEnabled(false);
    Q_EMIT saveRequested(m_text, m_saving);
}

void FileEditor::setSaved(const SessionText& now, const UserError& error, bool conflict)
{
    if (!m_isSaving || now.path != m_text.path || now.thread != m_text.thread)
        return;
    m_isSaving = false;
    const bool isWell = error.what.isEmpty();
    if (isWell) {
        m_text = now;
        m_banner->hide();
        m_edit->document()->setModified(m_edit->toPlainText() != m_saving);
        showState();
    } else {
        showProblem(error.what, conflict);
    }
    Q_EMIT saved(isWell);
}

void FileEditor::showProblem(const QString& sentence, bool conflict)
{
    m_banner->clearActions();
    m_banner->showMessage(conflict ? Banner::Kind::Warning : Banner::Kind::Error, sentence);
    showState();
    if (!conflict)
        return;
    connect(m_banner->addButton(tr("Write over it")), &QPushButton::clicked, this, [this] {
        m_text.hash.clear();
        save();
    });
    connect(m_banner->addButton(tr("Load it again")), &QPushButton::clicked, this, &FileEditor::reload);
}

// Typing is disabled until the text comes, because the reload would drop it.
void FileEditor::reload()
{
    m_isReloading = true;
    m_edit->setReadOnly(true);
    Q_EMIT reloadRequested(m_text);
}

void FileEditor::discard()
{
    m_isReloading = false;
    m_edit->document()->setModified(false);
    m_banner->hide();
    if (std::exchange(m_isSaving, false))
        Q_EMIT saved(false); // whoever waits for the save must not continue
}

void FileEditor::finish()
{
    if (!isModified()) {
        Q_EMIT closed();
        return;
    }
    m_banner->clearActions();
    m_banner->showMessage(Banner::Kind::Warning, tr("What was changed here is not saved."));
    connect(m_banner->addButton(tr("Save")), &QPushButton::clicked, this, &FileEditor::save);
    connect(m_banner->addButton(tr("Discard")), &QPushButton::clicked, this, [this] {
        discard();
        Q_EMIT closed();
    });
}

} // namespace sg::ui
