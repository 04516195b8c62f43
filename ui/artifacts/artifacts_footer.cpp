#include "ui/artifacts/artifacts_footer.h"

#include "ui/bridge/staging/staged_files.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace sg::ui {

ArtifactsFooter::ArtifactsFooter(QWidget* parent)
    : Strip(28, &Tokens::border, parent, Strip::Line::Above)
    , m_words(new ElidedLabel({}, this))
    , m_hint(new ElidedLabel({}, this))
    , m_export(new QPushButton(icon(QLatin1String("export")), tr("Export…"), this))
{
    for (ElidedLabel* words : { m_words, m_hint }) {
        words->setFont(uiFont(TextSize::Small));
        words->setForegroundRole(QPalette::PlaceholderText);
    }
    m_hint->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_export->setObjectName(QStringLiteral("artifactExport"));
    m_export->setProperty("sgFlat", true);
    m_export->setToolTip(tr("Copy the selected artifacts to a folder (Ctrl+Shift+E)"));
    makeDense(m_export);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 1, 4, 0);
    row->setSpacing(8);
    row->addWidget(m_words, 1);
    row->addWidget(m_hint);
    row->addWidget(m_export);
    connect(m_export, &QPushButton::clicked, this, &ArtifactsFooter::exportRequested);
}

void ArtifactsFooter::showSelection(qint64 selected, qint64 shown, qint64 bytes)
{
    m_words->setFullText(
        tr("%1 of %2 selected, %3").arg(formatCount(selected), formatCount(shown), formatBytes(bytes)));
    showDragging(false);
    m_export->setEnabled(selected > 0);
}

void ArtifactsFooter::showNothing(qint64 hidden)
{
    m_words->setFullText(tr("0 of %1").arg(formatCount(hidden)));
    m_export->setEnabled(false);
}

void ArtifactsFooter::showDragging(bool isDragged)
{
    m_hint->setFullText(isDragged ? tr("Drop to copy, Esc to cancel") : tr("Drag out or Ctrl+C"));
}

void ArtifactsFooter::showCopying(const StagedFiles& files)
{
    m_hint->setFullText(
        files.totalBytes() > 0
            ? tr("Copying: %1 of %2…").arg(formatBytes(files.copiedBytes()), formatBytes(files.totalBytes()))
            : tr("Copying: %1…").arg(formatBytes(files.copiedBytes())));
    m_hint->repaint();
}

} // namespace sg::ui
