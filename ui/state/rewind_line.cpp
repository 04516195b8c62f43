#include "ui/state/rewind_line.h"

#include "ui/selection/checkpoint_words.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/rewind_sign.h"
#include "ui/widgets/style.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace sg::ui {
namespace {

QString titleOf(Rewind rewind)
{
    switch (rewind) {
    case Rewind::Exact: return RewindLine::tr("Rewind: exact");
    case Rewind::Restored: return RewindLine::tr("Rewind: restored");
    case Rewind::None: break;
    }
    return RewindLine::tr("Rewind: none");
}

} // namespace

RewindLine::RewindLine(QWidget* parent)
    : QWidget(parent)
    , m_sign(new RewindSign(&Tokens::window, this))
    , m_title(new QLabel(this))
    , m_note(new ElidedLabel({}, this))
    , m_grid(new QGridLayout(this))
{
    setObjectName(QStringLiteral("rewindLine"));
    m_title->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_note->setFont(uiFont(TextSize::Dense));
    m_note->setForegroundRole(QPalette::PlaceholderText);
    auto* show = new QPushButton(tr("Show…"), this);
    makeDense(show);
    show->setToolTip(tr("The variables and files of this step"));
    connect(show, &QPushButton::clicked, this, &RewindLine::showRequested);
    m_grid->setContentsMargins(12, 7, 12, 8);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(0);
    m_grid->addWidget(m_sign, 0, 0);
    m_grid->addWidget(m_title, 0, 1);
    m_grid->addWidget(m_note, 1, 1);
    m_grid->addWidget(show, 0, 2, 2, 1);
    m_grid->setColumnStretch(1, 1);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

void RewindLine::setRewind(SandboxMark sandbox, const QString& note)
{
    const Rewind rewind = rewindOf(sandbox);
    m_sign->setRewind(rewind);
    m_title->setText(titleOf(rewind));
    m_note->setFullText(note);
    m_note->setVisible(!note.isEmpty());
    m_grid->setRowStretch(0, note.isEmpty() ? 1 : 0); // without a note the title is centred
    setAccessibleName(note.isEmpty() ? m_title->text() : m_title->text() + QStringLiteral(". ") + note);
    setVisible(sandbox != SandboxMark::Unused);
}

void RewindLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(&Tokens::window));
    painter.fillRect(0, 0, width(), 1, color(&Tokens::border));
}

} // namespace sg::ui
