#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/bridge/rows/table_rows.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace sg::ui {

class ArtifactFacts;
class ChangesView;
class ElidedLabel;
class FilterEdit;
class HtmlView;
class ImageView;
class JsonTree;
class MarkdownView;
class PageBar;
class TableView;

// One artifact: its name and actions, a preview of its content, and facts about it.
class ArtifactPreviewView : public QWidget {
    Q_OBJECT
public:
    explicit ArtifactPreviewView(QWidget* parent = nullptr);

    void clear();
    // The preview of the artifact will follow.
    void showArtifact(const ArtifactRow& artifact, const std::vector<ArtifactRow>& versions);
    void showPreview(const ArtifactPreview& preview); // ignored if it is of another artifact
    void showFacts(const ColumnFacts& facts);
    void showNote(const QString& note); // next to the actions: "Exported 2 files to …"
    [[nodiscard]] ArtifactFacts& facts() const { return *m_facts; }
    [[nodiscard]] QSize minimumSizeHint() const override; // without the facts, which a low one hides

Q_SIGNALS:
    void pageRequested(const sg::ui::ArtifactRow& artifact, qint64 row, const sg::ui::TableOrder& order);
    void columnsShown(const sg::ui::ArtifactRow& artifact, int columns); // asks for their facts
    void previewRequested(const sg::ui::ArtifactRow& artifact); // the plain preview, after a comparison
    void outsideRequested(const sg::ui::ArtifactRow& artifact);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] bool hasRoomForFacts() const;
    QWidget* createBar();
    QWidget* createZoom(QWidget* bar);
    void createPages();
    void showZoom();
    void showMessage(const QString& text);
    void showTable(const ArtifactPreview& preview);
    void showImage(const ArtifactPreview& preview);
    void showText(const ArtifactPreview& preview); // rendered, where it is known how
    void showSource(bool source); // of what is rendered
    void filterTable(const QString& words);
    void askInOrder(const TableOrder& order); // from the first row on
    void keepRows(const QString& why); // keeps the shown rows, because the new order failed

    ArtifactRow m_artifact;
    QString m_tabled; // the artifact whose table is shown
    TableOrder m_standing; // order of the shown rows; the header may show a requested one
    ElidedLabel* m_name;
    ElidedLabel* m_note;
    QWidget* m_zoomBox = nullptr;
    QLabel* m_zoom = nullptr;
    FilterEdit* m_rowFilter = nullptr;
    PageBar* m_pageBar;
    QPushButton* m_source;
    QPushButton* m_back;
    QPushButton* m_outside;
    ArtifactFacts* m_facts;
    QStackedWidget* m_pages;
    QLabel* m_message;
    ImageView* m_image;
    TableView* m_table;
    QPlainTextEdit* m_text;
    MarkdownView* m_markdown;
    HtmlView* m_html;
    JsonTree* m_json;
    QWidget* m_rendered = nullptr; // one of the last three, which the source is of
    ChangesView* m_changes;
};

} // namespace sg::ui
