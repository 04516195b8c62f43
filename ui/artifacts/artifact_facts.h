#pragma once

#include "ui/bridge/rows/rows.h"

#include <QWidget>

#include <vector>

class QBoxLayout;
class QGridLayout;
class QLabel;
class QPushButton;

namespace sg::ui {

// Facts about an artifact besides its content, and links: to its checkpoint, to its other versions, and a
// check of its stored content.
class ArtifactFacts : public QWidget {
    Q_OBJECT
public:
    static constexpr int kLeastBeside = 420; // width from which on its columns are beside each other
    explicit ArtifactFacts(QWidget* parent = nullptr);
    // `versions` are all artifacts of that name in its thread, newest first, including this one.
    void show(const ArtifactRow& artifact, const std::vector<ArtifactRow>& versions);

Q_SIGNALS:
    void momentRequested(const sg::ui::ArtifactRow& artifact);
    void compareRequested(const sg::ui::ArtifactRow& older, const sg::ui::ArtifactRow& newer);
    void verifyRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* addTitle(QGridLayout& grid, int row, const QString& title);
    QLabel* addValue(QGridLayout& grid, int row, const QString& title, const QFont& font);
    QPushButton* addLink(const QString& text);
    void showVersions(const std::vector<ArtifactRow>& versions);

    ArtifactRow m_artifact;
    QBoxLayout* m_columns; // one below the other where it is narrow
    QPushButton* m_madeBy;
    QLabel* m_versions;
    QPushButton* m_compare;
    QLabel* m_size;
    QLabel* m_hash;
    QLabel* m_created;
    QLabel* m_thread;
    QLabel* m_folder;
};

} // namespace sg::ui
