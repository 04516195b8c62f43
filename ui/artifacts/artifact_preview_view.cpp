#include "ui/artifacts/artifact_preview_view.h"

#include "ui/artifacts/artifact_facts.h"
#include "ui/artifacts/image_view.h"
#include "ui/artifacts/page_bar.h"
#include "ui/artifacts/row_filter.h"
#include "ui/artifacts/table_view.h"
#include "ui/artifacts/text_views.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr int kLeastWidth = 240; // bar and facts give way down to it
constexpr int kRoomForFacts = 210; // below this height the facts are hidden in favour of the content
constexpr int kRoomForFactsBelow = 290; // the same where their columns are one below the other

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

QPushButton* flatButton(const QString& text, const char* name, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(QLatin1String(name));
    button->setProperty("sgFlat", true);
    makeDense(button);
    return button;
}

} // namespace

ArtifactPreviewView::ArtifactPreviewView(QWidget* parent)
    : QWidget(parent)
    , m_facts(new ArtifactFacts(this))
    , m_pages(new QStackedWidget(this))
    , m_message(new QLabel(m_pages))
    , m_image(new ImageView(m_pages))
    , m_table(new TableView(m_pages))
    , m_text(new QPlainTextEdit(m_pages))
    , m_markdown(new MarkdownView(m_pages))
    , m_html(new HtmlView(m_pages))
    , m_json(new JsonTree(m_pages))
    , m_changes(new ChangesView(m_pages))
{
    createPages();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(createBar());
    column->addWidget(m_pages, 1);
    column->addWidget(m_facts);
    connect(m_image, &ImageView::zoomChanged, this, &ArtifactPreviewView::showZoom);
    connect(m_pageBar, &PageBar::pageRequested, this,
            [this](qint64 row) { Q_EMIT pageRequested(m_artifact, row, m_table->order()); });
    connect(m_table, &TableView::orderRequested, this, [this](const TableOrder& order) {
        TableOrder wanted = order;
        wanted.filter = m_table->order().filter;
        askInOrder(wanted);
        m_note->setFullText(order.column < 0 ? QString() : tr("Sorting…"));
    });
    connect(m_rowFilter, &FilterEdit::filterChanged, this, &ArtifactPreviewView::filterTable);
    connect(m_source, &QPushButton::toggled, this, &ArtifactPreviewView::showSource);
    connect(m_outside, &QPushButton::clicked, this, [this] { Q_EMIT outsideRequested(m_artifact); });
    connect(m_back, &QPushButton::clicked, this, [this] { Q_EMIT previewRequested(m_artifact); });
}

void ArtifactPreviewView::createPages()
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
    for (QWidget* page :
         { static_cast<QWidget*>(m_message), static_cast<QWidget*>(m_image), static_cast<QWidget*>(m_table),
           static_cast<QWidget*>(m_text), static_cast<QWidget*>(m_markdown), static_cast<QWidget*>(m_html),
           static_cast<QWidget*>(m_json), static_cast<QWidget*>(m_changes) })
        m_pages->addWidget(page);
}

QWidget* ArtifactPreviewView::createBar()
{
    auto* bar = new Strip(32, &Tokens::subtle, this);
    m_name = new ElidedLabel({}, bar, Qt::ElideMiddle);
    m_name->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_note = new ElidedLabel({}, bar);
    m_note->setFont(uiFont(TextSize::Dense));
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_rowFilter = new FilterEdit(tr("Rows, for example mass > 4000"), FilterEdit::Sign::Filter, bar);
    m_rowFilter->setObjectName(QStringLiteral("tableFilter"));
    m_rowFilter->setAccessibleName(tr("Filter the rows of the table"));
    m_rowFilter->setToolTip(tr("A column, then > < = and a value, or : and a part of it"));
    m_rowFilter->setMaximumWidth(scaledLength(220));
    makeDense(m_rowFilter);
    m_pageBar = new PageBar(bar);
    m_source = flatButton(tr("Source"), "artifactSource", bar);
    m_source->setCheckable(true);
    m_source->setToolTip(tr("The text as it is in the file"));
    m_back = flatButton(tr("Back to the content"), "artifactBack", bar);
    m_outside = flatButton(tr("Open with the desktop's program"), "artifactOutside", bar);
    m_outside->setToolTip(tr("Opens a copy; the stored one stays as it is"));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(8);
    row->addWidget(m_name);
    row->addWidget(m_note, 1);
    row->addWidget(m_rowFilter, 1);
    row->addWidget(m_pageBar);
    row->addWidget(createZoom(bar));
    row->addWidget(m_source);
    row->addWidget(m_outside);
    row->addWidget(m_back);
    for (QWidget* part :
         { static_cast<QWidget*>(m_pageBar), static_cast<QWidget*>(m_rowFilter), m_zoomBox,
           static_cast<QWidget*>(m_source), static_cast<QWidget*>(m_outside), static_cast<QWidget*>(m_back) })
        part->hide();
    return bar;
}

QWidget* ArtifactPreviewView::createZoom(QWidget* bar)
{
    m_zoomBox = new QWidget(bar);
    auto* row = new QHBoxLayout(m_zoomBox);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    auto* out = zoomButton(QLatin1String("minus"), tr("Smaller (−)"), m_zoomBox);
    auto* in = zoomButton(QLatin1String("plus"), tr("Larger (+)"), m_zoomBox);
    m_zoom = new QLabel(m_zoomBox);
    m_zoom->setFont(uiFont(TextSize::Dense));
    m_zoom->setAlignment(Qt::AlignCenter);
    m_zoom->setMinimumWidth(scaledLength(44));
    QPushButton* fit = flatButton(tr("Fit"), "artifactFit", m_zoomBox);
    fit->setToolTip(tr("Fit the image into the view (0)"));
    for (QWidget* part : { static_cast<QWidget*>(out), static_cast<QWidget*>(m_zoom),
                           static_cast<QWidget*>(in), static_cast<QWidget*>(fit) })
        row->addWidget(part);
    connect(out, &QToolButton::clicked, this, [this] { m_image->zoomBy(0.8); });
    connect(in, &QToolButton::clicked, this, [this] { m_image->zoomBy(1.25); });
    connect(fit, &QPushButton::clicked, this, [this] { m_image->setZoom(0); });
    return m_zoomBox;
}

void ArtifactPreviewView::clear()
{
    m_artifact = {};
    m_name->setFullText({});
    m_note->setFullText({});
    m_image->clear();
    m_facts->hide();
    showMessage(tr("Nothing is selected."));
}

void ArtifactPreviewView::showArtifact(const ArtifactRow& artifact, const std::vector<ArtifactRow>& versions)
{
    m_name->setFullText(artifact.name);
    m_facts->show(artifact, versions);
    m_facts->setVisible(hasRoomForFacts());
    if (artifact.id == m_artifact.id)
        return;
    m_artifact = artifact;
    m_tabled.clear();
    m_rowFilter->setFilter({}); // has no effect while no table is shown
    m_note->setFullText({});
    m_image->clear();
    showMessage(tr("Loading the preview…"));
}

void ArtifactPreviewView::showPreview(const ArtifactPreview& preview)
{
    if (preview.artifact != m_artifact.id)
        return;
    if (preview.isComparison) { // afterwards the table is shown in the file's order
        m_tabled.clear();
        m_rowFilter->setFilter({});
    }
    if (preview.kind == ArtifactPreview::Kind::None && preview.artifact == m_tabled
        && m_table->order() != TableOrder()) {
        keepRows(preview.note);
        return;
    }
    if (preview.kind == ArtifactPreview::Kind::Table && preview.artifact == m_tabled) {
        showTable(preview); // in place, so that the filter field keeps the focus
        return;
    }
    showMessage(preview.note);
    switch (preview.kind) {
    case ArtifactPreview::Kind::Image:
        showImage(preview);
        m_back->setVisible(preview.isComparison);
        return;
    case ArtifactPreview::Kind::Table: showTable(preview); return;
    case ArtifactPreview::Kind::Text:
    case ArtifactPreview::Kind::Markdown: showText(preview); break;
    case ArtifactPreview::Kind::Changes:
        m_changes->showChanges(preview.text);
        m_pages->setCurrentWidget(m_changes);
        m_back->show();
        break;
    case ArtifactPreview::Kind::Outside:
        m_outside->show();
        m_note->setFullText({});
        return;
    case ArtifactPreview::Kind::None:
        m_note->setFullText({});
        showMessage(preview.note.isEmpty() ? tr("There is no preview of this kind of file.") : preview.note);
        m_back->setVisible(preview.isComparison);
        return;
    }
    m_note->setFullText(preview.note);
}

void ArtifactPreviewView::showText(const ArtifactPreview& preview)
{
    const auto endsAs = [this](const char* end) {
        return m_artifact.name.endsWith(QLatin1String(end), Qt::CaseInsensitive);
    };
    m_text->setPlainText(preview.text);
    m_rendered = nullptr;
    if (preview.kind == ArtifactPreview::Kind::Markdown) {
        m_markdown->showMarkdown(preview.text);
        m_rendered = m_markdown;
    } else if (endsAs(".html") || endsAs(".htm") || m_artifact.mime == QLatin1String("text/html")) {
        m_html->showHtml(preview.text);
        m_rendered = m_html;
    } else if ((endsAs(".json") || m_artifact.mime == QLatin1String("application/json"))
               && m_json->showJson(preview.text)) {
        m_rendered = m_json;
    }
    m_source->setVisible(m_rendered != nullptr);
    showSource(m_source->isChecked() || m_rendered == nullptr);
}

void ArtifactPreviewView::showImage(const ArtifactPreview& preview)
{
    if (!m_image->setPicture(preview.picture, preview.halves)) {
        m_note->setFullText({});
        showMessage(tr("This image cannot be shown: its format is unknown or the file is damaged. Export "
                       "it to open it elsewhere."));
        return;
    }
    m_pages->setCurrentWidget(m_image);
    m_zoomBox->show();
    m_note->setFullText(preview.note.isEmpty() ? m_image->accessibleDescription() : preview.note);
}

void ArtifactPreviewView::showFacts(const ColumnFacts& facts)
{
    if (facts.artifact == m_tabled)
        m_table->setFacts(facts);
}

void ArtifactPreviewView::showTable(const ArtifactPreview& preview)
{
    const bool isOther = m_tabled != preview.artifact;
    if (isOther) {
        m_table->setFacts({}); // the previous table's
        m_table->setOrder({});
    }
    m_tabled = preview.artifact;
    m_standing = m_table->order();
    m_table->setTable(preview.columns, preview.columnTypes, preview.rows, preview.firstRow);
    m_pages->setCurrentWidget(m_table);
    m_note->setFullText(preview.note);
    m_pageBar->showPage(preview);
    m_pageBar->show();
    m_rowFilter->show();
    if (m_standing.filter.column >= 0 && preview.note.isEmpty())
        m_note->setFullText(preview.rows.empty()
                                ? tr("No row passes the filter.")
                                : tr("of %1 rows that pass").arg(formatCount(preview.totalRows)));
    if (isOther)
        Q_EMIT columnsShown(m_artifact,
                            std::min(static_cast<int>(preview.columns.size()), kMostColumnsWithFacts));
}

void ArtifactPreviewView::askInOrder(const TableOrder& order)
{
    m_table->setOrder(order);
    Q_EMIT pageRequested(m_artifact, 0, order);
}

void ArtifactPreviewView::filterTable(const QString& words)
{
    if (m_tabled.isEmpty())
        return;
    QString fault;
    TableOrder wanted = m_table->order();
    wanted.filter = tableFilterOf(words, m_table->columns(), fault);
    m_note->setFullText(fault);
    if (!fault.isEmpty() || wanted == m_table->order())
        return;
    askInOrder(wanted);
    m_note->setFullText(wanted.filter.column < 0 ? QString() : tr("Filtering…"));
}

void ArtifactPreviewView::keepRows(const QString& why)
{
    m_table->setOrder(m_standing);
    m_note->setFullText(why);
}

void ArtifactPreviewView::showSource(bool source)
{
    m_pages->setCurrentWidget(source ? static_cast<QWidget*>(m_text) : m_rendered);
}

void ArtifactPreviewView::showNote(const QString& note)
{
    m_note->setFullText(note);
}

bool ArtifactPreviewView::hasRoomForFacts() const
{
    const bool isNarrow = width() < scaledLength(ArtifactFacts::kLeastBeside);
    return height() >= scaledLength(isNarrow ? kRoomForFactsBelow : kRoomForFacts);
}

QSize ArtifactPreviewView::minimumSizeHint() const
{
    const QSize least = QWidget::minimumSizeHint();
    return { std::min(least.width(), scaledLength(kLeastWidth)), // its bar and its facts give way
             least.height() - (m_facts->isHidden() ? 0 : m_facts->minimumSizeHint().height()) };
}

void ArtifactPreviewView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_facts->setVisible(!m_artifact.id.isEmpty() && hasRoomForFacts());
}

void ArtifactPreviewView::showZoom()
{
    m_zoom->setText(tr("%1 %").arg(std::lround(m_image->zoom() * 100)));
}

// Shows a text instead of the content, and hides the controls for contents.
void ArtifactPreviewView::showMessage(const QString& text)
{
    for (QWidget* part :
         { static_cast<QWidget*>(m_pageBar), static_cast<QWidget*>(m_rowFilter), m_zoomBox,
           static_cast<QWidget*>(m_source), static_cast<QWidget*>(m_outside), static_cast<QWidget*>(m_back) })
        part->hide();
    m_message->setText(text);
    m_pages->setCurrentWidget(m_message);
}

} // namespace sg::ui
