#pragma once

#include "ui/bridge/rows.h"

#include <QPixmap>
#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace sg::ui {

class ElidedLabel;
class ImageView;
class TableView;

// One artifact: name and actions, its content as far as it can be shown, and facts about it.
class ArtifactPreviewView : public QWidget {
    Q_OBJECT
public:
    explicit ArtifactPreviewView(QWidget* parent = nullptr);

    void showArtifact(const ArtifactRow& artifact, int selectedCount); // its preview is on the way
    void showPreview(const ArtifactPreview& preview); // of another artifact: ignored
    void showNote(const QString& note); // beside the actions: "Exported 2 files to …"
    [[nodiscard]] QPixmap thumbnail() const;
    [[nodiscard]] QPushButton* exportButton() const { return m_export; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* createBar();
    QWidget* createFacts();
    void showZoom();
    void showMessage(const QString& text);

    QString m_artifact;
    ElidedLabel* m_name;
    ElidedLabel* m_note;
    QWidget* m_zoomBox;
    QLabel* m_zoom;
    QPushButton* m_export;
    QWidget* m_facts = nullptr;
    QStackedWidget* m_pages;
    QLabel* m_message;
    ImageView* m_image;
    TableView* m_table;
    QPlainTextEdit* m_text;
    QLabel* m_madeBy;
    QLabel* m_size;
    QLabel* m_hash;
    QLabel* m_created;
};

} // namespace sg::ui
