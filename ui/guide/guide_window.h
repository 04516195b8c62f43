#pragma once

#include <QWidget>

class QLabel;
class QListWidget;
class QTextBrowser;

namespace sg::ui {

class FilterEdit;

// The guide: on the left all chapters, or those that contain the searched words; on the right the text with
// these words marked. Links to other chapters stay in the window; nothing is downloaded.
class GuideWindow : public QWidget {
    Q_OBJECT
public:
    explicit GuideWindow(QWidget* parent);

    void open(const QString& chapter); // shows its beginning and clears the search
    [[nodiscard]] QString chapter() const { return m_shown; }

protected:
    void keyPressEvent(QKeyEvent* event) override; // Esc closes

private:
    void search(const QString& words);
    void showChapter(const QString& name);
    void markWords();
    void findNext();

    QString m_shown;
    FilterEdit* m_search;
    QListWidget* m_list;
    QTextBrowser* m_text;
    QLabel* m_none; // shown if nothing was found
};

} // namespace sg::ui
