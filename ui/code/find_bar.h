#pragma once

#include "ui/code/text_search.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace sg::ui {

class CodeView;

// Find and replace in one text: how many matches there are and which is the present one; case, whole words,
// patterns. Hidden until open().
class FindBar : public QWidget {
    Q_OBJECT
public:
    // `isWide` has room to replace.
    explicit FindBar(bool isWide, QWidget* parent = nullptr);

    void setView(CodeView* view); // the text to look in
    void open(); // with what is selected

public Q_SLOTS:
    void next();
    void previous();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QToolButton* addOption(const QString& text, const QString& name);
    void createReplacing();
    void close();
    [[nodiscard]] TextQuery query() const;
    void count(); // all matches, and shows them
    void show(int present);
    void step(int by);
    void replaceOne();
    void replaceAll();

    QPointer<CodeView> m_view;
    QLineEdit* m_words;
    QLabel* m_found;
    QToolButton* m_case = nullptr;
    QToolButton* m_whole = nullptr;
    QToolButton* m_pattern = nullptr;
    QLineEdit* m_with = nullptr;
    QPushButton* m_replace = nullptr;
    QPushButton* m_replaceAll = nullptr;
    TextMatches m_matches;
    int m_present = -1;
    QTimer m_countSoon; // the text is being typed
};

} // namespace sg::ui
