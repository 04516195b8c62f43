#pragma once

#include "ui/widgets/strip.h"

class QPushButton;

namespace sg::ui {

class ElidedLabel;
class StagedFiles;

// "1 of 6 selected, 6.2 kB", a hint about dragging, and the export button.
class ArtifactsFooter : public Strip {
    Q_OBJECT
public:
    explicit ArtifactsFooter(QWidget* parent = nullptr);

    void showSelection(qint64 selected, qint64 shown, qint64 bytes);
    void showNothing(qint64 hidden); // hidden by the filter
    void showDragging(bool isDragged);
    // The progress of copies that another program waits for. It is painted at once, because events wait, too.
    void showCopying(const StagedFiles& files);

Q_SIGNALS:
    void exportRequested();

private:
    ElidedLabel* m_words;
    ElidedLabel* m_hint;
    QPushButton* m_export;
};

} // namespace sg::ui
