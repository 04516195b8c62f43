#pragma once

#include <QWidget>

class QLabel;
class QListWidget;
class QTextBrowser;

namespace sg::ui {

class FilterEdit;

// The guide: chapters at the left, all or those in which the searched words stand, the text at the right with
// the words marked. Links to other chapters stay in here; nothing is fetched from anywhere.
class GuideWindow : public QWidget {
    Q_OBJECT
public:
    explicit GuideWindow(QWidget* parent);

    void open(const QString& chapter); // by its name, at its beginning; the search is cleared
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
    QLabel* m_none; // nothing was found
};

} // namespace sg::ui
