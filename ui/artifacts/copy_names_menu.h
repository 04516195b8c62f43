#pragma once

#include <QMenu>

class QActionGroup;

namespace sg::ui {

// Chooses the names of dragged, copied and exported files; the settings remember it.
class CopyNamesMenu : public QMenu {
    Q_OBJECT
public:
    explicit CopyNamesMenu(QWidget* parent);
    [[nodiscard]] const QString& pattern() const { return m_pattern; } // see copy_names.h

Q_SIGNALS:
    void patternChanged(const QString& pattern);
    void refused(const QString& why); // a typed pattern is wrong; copies keep their own names

private:
    void addChoice(const QString& title, const char* pattern);
    void choose(const QString& pattern);
    void ask();

    QActionGroup* m_choices;
    QString m_pattern;
};

} // namespace sg::ui
