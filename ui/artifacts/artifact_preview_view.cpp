#include "ui/artifacts/artifact_preview_view.h"

#include "ui/artifacts/artifact_model.h"
#include "ui/artifacts/image_view.h"
#include "ui/artifacts/table_view.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace sg::ui {

namespace {

constexpr int kRoomForFacts = 190; // below, the picture needs the room more

// A strip of the window's colour with a line at one edge.
class Strip final : public QWidget {
public:
    Strip(Qt::Edge line, QWidget* parent)
        : QWidget(parent)
        , m_line(line)
    {
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), color(&Tokens::window));
        painter.fillRect(0, m_line == Qt::TopEdge ? 0 : height() - 1, width(), 1,
                         color(m_line == Qt::TopEdge ? &Tokens::border : &Tokens::subtle));
    }

private:
    Qt::Edge m_line;
};

QString shortHash(const QString& hash)
{
    return hash.size() <= 16 ? hash : hash.left(8) + QStringLiteral("…") + hash.right(6);
}

QToolButton* zoomButton(QLatin1String iconName, const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setIcon(icon(iconName));
    button->setAutoRaise(true);
    button->setToolTip(name);
    button->setAccessibleName(name);
    makeDense(button);
    return button;
}

} // namespace

ArtifactPreviewView::ArtifactPreviewView(QWidget* parent)
    : QWidget(parent)
    , m_pages(new QStackedWidget(this))
    , m_message(new QLabel(m_pages))
    , m_image(new ImageView(m_pages))
    , m_table(new TableView(m_pages))
    , m_text(new QPlainTextEdit(m_pages))
{
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setWordWrap(true);
    m_message->setMargin(12);
    m_message->setFont(uiFont(TextSize::Dense));
    m_message->setForegroundRole(QPalette::PlaceholderText);
    m_message->setBackgroundRole(QPalette::Base);
    m_message->setAutoFillBackground(true);
    m_text->setObjectName(QStringLiteral("artifactText"));
    m_text->setAccessibleName(tr("Preview of the text"));
    m_text->setReadOnly(true);
    m_text->setFont(monoFont());
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->document()->setDocumentMargin(8);
    for (QWidget* page : { static_cast<QWidget*>(m_message), static_cast<QWidget*>(m_image),
                           static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_text) })
        m_pages->addWidget(page);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(createBar());
    column->addWidget(m_pages, 1);
    m_facts = createFacts();
    column->addWidget(m_facts);
    connect(m_image, &ImageView::zoomChanged, this, &ArtifactPreviewView::showZoom);
}

QWidget* ArtifactPreviewView::createBar()
{
    auto* bar = new Strip(Qt::BottomEdge, this);
    bar->setFixedHeight(scaledLength(32));
    m_name = new ElidedLabel({}, bar, Qt::ElideMiddle);
    m_name->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_note = new ElidedLabel({}, bar);
    m_note->setFont(uiFont(TextSize::Dense));
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_zoomBox = new QWidget(bar);
    auto* zoomRow = new QHBoxLayout(m_zoomBox);
    zoomRow->setContentsMargins(0, 0, 0, 0);
    zoomRow->setSpacing(2);
    auto* out = zoomButton(QLatin1String("minus"), tr("Smaller (−)"), m_zoomBox);
    auto* in = zoomButton(QLatin1String("plus"), tr("Larger (+)"), m_zoomBox);
    m_zoom = new QLabel(m_zoomBox);
    m_zoom->setFont(uiFont(TextSize::Dense));
    m_zoom->setAlignment(Qt::AlignCenter);
    m_zoom->setMinimumWidth(scaledLength(44));
    auto* fit = new QPushButton(tr("Fit"), m_zoomBox);
    fit->setProperty("sgFlat", true);
    fit->setToolTip(tr("Fit the image into the view (0)"));
    makeDense(fit);
    for (QWidget* part : { static_cast<QWidget*>(out), static_cast<QWidget*>(m_zoom),
                           static_cast<QWidget*>(in), static_cast<QWidget*>(fit) })
        zoomRow->addWidget(part);
    m_export = new QPushButton(icon(QLatin1String("export")), tr("Export…"), bar);
    m_export->setObjectName(QStringLiteral("artifactExport"));
    m_export->setToolTip(tr("Copy the selected artifacts to a folder"));
    makeDense(m_export);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(8);
    row->addWidget(m_name);
    row->addWidget(m_note, 1);
    row->addWidget(m_zoomBox);
    row->addWidget(m_export);
    connect(out, &QToolButton::clicked, this, [this] { m_image->zoomBy(0.8); });
    connect(in, &QToolButton::clicked, this, [this] { m_image->zoomBy(1.25); });
    connect(fit, &QPushButton::clicked, this, [this] { m_image->setZoom(0); });
    return bar;
}

QWidget* ArtifactPreviewView::createFacts()
{
    auto* strip = new Strip(Qt::TopEdge, this);
    auto* grid = new QGridLayout(strip);
    grid->setContentsMargins(12, 7, 12, 6);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(3);
    const auto add = [&](int row, int column, const QString& title, const QFont& font) {
        auto* label = new QLabel(title, strip);
        label->setFont(uiFont(TextSize::Dense));
        label->setForegroundRole(QPalette::PlaceholderText);
        auto* value = new QLabel(strip);
        value->setFont(font);
        value->setTextFormat(Qt::PlainText);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        value->setAccessibleName(title);
        grid->addWidget(label, row, column);
        grid->addWidget(value, row, column + 1);
        return value;
    };
    m_madeBy = add(0, 0, tr("Made by"), uiFont(TextSize::Dense));
    m_hash = add(1, 0, tr("SHA-256"), monoFont());
    m_size = add(0, 2, tr("Size"), uiFont(TextSize::Dense));
    m_created = add(1, 2, tr("Created"), uiFont(TextSize::Dense));
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    return strip;
}

void ArtifactPreviewView::showArtifact(const ArtifactRow& artifact, int selectedCount)
{
    m_name->setFullText(artifact.name);
    m_export->setText(selectedCount > 1 ? tr("Export %1…").arg(selectedCount) : tr("Export…"));
    m_madeBy->setText(madeBy(artifact));
    m_size->setText(formatBytes(artifact.size));
    m_hash->setText(shortHash(artifact.sha256));
    m_hash->setToolTip(artifact.sha256);
    m_created->setText(formatDay(artifact.createdMs, QDateTime::currentDateTime()));
    if (artifact.id == m_artifact)
        return;
    m_artifact = artifact.id;
    m_note->setFullText({});
    m_zoomBox->hide();
    m_image->clear();
    showMessage(tr("Loading the preview…"));
}

void ArtifactPreviewView::showPreview(const ArtifactPreview& preview)
{
    if (preview.artifact != m_artifact)
        return;
    m_note->setFullText(preview.note);
    m_zoomBox->hide();
    switch (preview.kind) {
    case ArtifactPreview::Kind::Image:
        if (m_image->setImage(preview.image)) {
            m_pages->setCurrentWidget(m_image);
            m_zoomBox->show();
            m_note->setFullText(preview.note.isEmpty() ? m_image->accessibleDescription() : preview.note);
        } else {
            showMessage(tr("This image cannot be shown: its format is unknown or the file is damaged. Export "
                           "it to open it elsewhere."));
        }
        return;
    case ArtifactPreview::Kind::Table:
        m_table->setTable(preview.columns, preview.columnTypes, preview.rows);
        m_pages->setCurrentWidget(m_table);
        if (preview.note.isEmpty() && preview.totalRows >= 0)
            m_note->setFullText(
                tr("%1 rows, %2 columns")
                    .arg(formatCount(preview.totalRows), formatCount(preview.columns.size())));
        return;
    case ArtifactPreview::Kind::Text:
        m_text->setPlainText(preview.text);
        m_pages->setCurrentWidget(m_text);
        return;
    case ArtifactPreview::Kind::None:
        m_note->setFullText({});
        showMessage(preview.note.isEmpty() ? tr("There is no preview of this kind of file.") : preview.note);
        return;
    }
}

void ArtifactPreviewView::showNote(const QString& note)
{
    m_note->setFullText(note);
}

QPixmap ArtifactPreviewView::thumbnail() const
{
    return m_pages->currentWidget() == m_image ? m_image->picture() : QPixmap();
}

void ArtifactPreviewView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_facts->setVisible(height() >= scaledLength(kRoomForFacts));
}

void ArtifactPreviewView::showZoom()
{
    m_zoom->setText(tr("%1 %").arg(std::lround(m_image->zoom() * 100)));
}

void ArtifactPreviewView::showMessage(const QString& text)
{
    m_message->setText(text);
    m_pages->setCurrentWidget(m_message);
}

} // namespace sg::ui
