#include "ui/artifacts/artifacts_panel.h"

#include "ui/artifacts/artifact_list.h"
#include "ui/artifacts/artifact_model.h"
#include "ui/artifacts/artifact_preview_view.h"
#include "ui/artifacts/example_code.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPainter>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

// "1 of 6 selected, 6.2 kB" and how to get files out.
class ListFooter final : public QWidget {
public:
    explicit ListFooter(QWidget* parent)
        : QWidget(parent)
        , m_words(new ElidedLabel({}, this))
    {
        setFixedHeight(scaledLength(24));
        m_words->setFont(uiFont(TextSize::Small));
        m_words->setForegroundRole(QPalette::PlaceholderText);
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(12, 1, 12, 0);
        row->addWidget(m_words);
    }
    void setText(const QString& text) { m_words->setFullText(text); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), color(&Tokens::window));
        painter.fillRect(0, 0, width(), 1, color(&Tokens::border));
    }

private:
    ElidedLabel* m_words;
};

} // namespace

struct ArtifactsPanel::Impl : QObject {
    explicit Impl(ArtifactsPanel* panel);
    QWidget* createList(QWidget* parent);
    void connectList();
    void showRows(const std::vector<ArtifactRow>& rows);
    void showSelection();
    void describeSelection();
    void chooseFolder();
    void showError(const UserError& error);

    ArtifactsPanel* panel;
    ArtifactModel* model;
    Banner* banner;
    QStackedWidget* pages;
    EmptyState* empty;
    ExampleCode* example;
    QSplitter* splitter;
    ArtifactList* list;
    ListFooter* footer;
    ArtifactPreviewView* preview;
    QString asked; // artifact whose preview was asked for
    QString lastFolder;
    bool chosen = false; // by the user; until then the newest is shown
};

ArtifactsPanel::Impl::Impl(ArtifactsPanel* owner)
    : QObject(owner)
    , panel(owner)
    , model(new ArtifactModel(owner))
    , banner(new Banner(owner))
    , pages(new QStackedWidget(owner))
    , empty(new EmptyState(QLatin1String("image"),
                           ArtifactsPanel::tr("Files saved to `/session/artifacts/` appear here."), pages))
    , example(new ExampleCode(pages))
    , splitter(new QSplitter(Qt::Horizontal, pages))
{
    splitter->addWidget(createList(splitter));
    preview = new ArtifactPreviewView(splitter);
    splitter->addWidget(preview);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({ scaledLength(360), scaledLength(540) });
    for (QWidget* page :
         { static_cast<QWidget*>(empty), static_cast<QWidget*>(example), static_cast<QWidget*>(splitter) })
        pages->addWidget(page);
    banner->setClosable(true);
    banner->hide();
    auto* column = new QVBoxLayout(owner);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(banner);
    column->addWidget(pages, 1);
    connect(empty->setButton(ArtifactsPanel::tr("Show example code")), &QPushButton::clicked, this,
            [this] { pages->setCurrentWidget(example); });
    connect(example, &ExampleCode::closed, this, [this] { pages->setCurrentWidget(empty); });
    connectList();
}

QWidget* ArtifactsPanel::Impl::createList(QWidget* parent)
{
    auto* side = new QWidget(parent);
    side->setMinimumWidth(scaledLength(200));
    list = new ArtifactList(*model, side);
    footer = new ListFooter(side);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(list, 1);
    column->addWidget(footer);
    return side;
}

void ArtifactsPanel::Impl::connectList()
{
    connect(list->selectionModel(), &QItemSelectionModel::selectionChanged, this, &Impl::showSelection);
    connect(list, &ArtifactList::stageRequested, panel, &ArtifactsPanel::stageRequested);
    connect(list, &ArtifactList::chosenByUser, this, [this] { chosen = true; });
    connect(list, &ArtifactList::copied, this, [this](int files) {
        preview->showNote(
            files == 1 ? ArtifactsPanel::tr("Copied; paste it into any folder.")
                       : ArtifactsPanel::tr("Copied %1 files; paste them into any folder.").arg(files));
    });
    connect(preview->exportButton(), &QPushButton::clicked, this, &Impl::chooseFolder);
}

void ArtifactsPanel::Impl::showRows(const std::vector<ArtifactRow>& rows)
{
    const QString current = chosen && list->currentIndex().isValid()
        ? list->currentIndex().data(ArtifactModel::IdRole).toString()
        : QString();
    model->reset(rows);
    if (rows.empty()) {
        asked.clear();
        chosen = false;
        if (pages->currentWidget() != example)
            pages->setCurrentWidget(empty);
        return;
    }
    pages->setCurrentWidget(splitter);
    const QModelIndex known = model->indexOf(current);
    const QModelIndex wanted = known.isValid() ? known : model->index(0);
    if (!list->selectionModel()->isSelected(wanted))
        list->selectionModel()->setCurrentIndex(wanted, QItemSelectionModel::ClearAndSelect);
    describeSelection();
}

void ArtifactsPanel::Impl::showSelection()
{
    const std::vector<ArtifactRow> rows = list->selectedRows();
    describeSelection();
    if (rows.empty())
        return;
    const QModelIndex current = list->currentIndex();
    const bool currentIsSelected = list->selectionModel()->isSelected(current);
    const ArtifactRow& shown = currentIsSelected ? model->row(current) : rows.front();
    preview->showArtifact(shown, static_cast<int>(rows.size()));
    if (shown.id == asked)
        return;
    asked = shown.id;
    Q_EMIT panel->previewRequested(shown);
}

void ArtifactsPanel::Impl::describeSelection()
{
    const std::vector<ArtifactRow> rows = list->selectedRows();
    qint64 bytes = 0;
    for (const ArtifactRow& row : rows)
        bytes += row.size;
    footer->setText(ArtifactsPanel::tr("%1 of %2 selected, %3. Drag out, or copy (Ctrl+C)")
                        .arg(formatCount(static_cast<qint64>(rows.size())), formatCount(model->rowCount()),
                             formatBytes(bytes)));
    preview->exportButton()->setEnabled(!rows.empty());
}

void ArtifactsPanel::Impl::chooseFolder()
{
    const std::vector<ArtifactRow> rows = list->selectedRows();
    if (rows.empty())
        return;
    const QString title = rows.size() == 1 ? ArtifactsPanel::tr("Export %1 to").arg(rows.front().name)
                                           : ArtifactsPanel::tr("Export %1 artifacts to").arg(rows.size());
    const QString start = lastFolder.isEmpty() ? QDir::homePath() : lastFolder;
    auto* dialog = new QFileDialog(panel, title, start);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->setLabelText(QFileDialog::Accept, ArtifactsPanel::tr("Export"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, rows](const QString& folder) {
        lastFolder = folder;
        Q_EMIT panel->exportRequested(rows, folder);
    });
    dialog->open();
}

void ArtifactsPanel::Impl::showError(const UserError& error)
{
    banner->showMessage(Banner::Kind::Error, error.what);
    banner->setToolTip(error.detail);
}

ArtifactsPanel::ArtifactsPanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setAccessibleName(tr("Artifacts"));
}

void ArtifactsPanel::clear()
{
    m_impl->banner->hide();
    m_impl->showRows({});
}

void ArtifactsPanel::setArtifacts(const std::vector<ArtifactRow>& rows)
{
    m_impl->showRows(rows);
}

void ArtifactsPanel::setPreview(const ArtifactPreview& preview)
{
    m_impl->preview->showPreview(preview);
    m_impl->list->setThumbnail(preview.artifact, m_impl->preview->thumbnail());
}

void ArtifactsPanel::setStaged(const QStringList& files, const UserError& error)
{
    m_impl->list->setStaged(error.what.isEmpty() ? files : QStringList());
    if (!error.what.isEmpty())
        m_impl->showError(error);
}

void ArtifactsPanel::setExported(const QStringList& files, const UserError& error)
{
    if (!error.what.isEmpty()) {
        m_impl->showError(error);
        return;
    }
    m_impl->banner->hide();
    if (files.isEmpty())
        return;
    const QString folder = QDir::toNativeSeparators(QFileInfo(files.front()).path());
    m_impl->preview->showNote(files.size() == 1
                                  ? tr("Exported to %1").arg(folder)
                                  : tr("Exported %1 files to %2").arg(files.size()).arg(folder));
}

} // namespace sg::ui
