#pragma once

#include <QMenu>

class QActionGroup;

namespace sg::ui {

// How copies are called that are dragged out, copied or exported; remembered in the settings.
class CopyNamesMenu : public QMenu {
    Q_OBJECT
public:
    explicit CopyNamesMenu(QWidget* parent);
    [[nodiscard]] const QString& pattern() const { return m_pattern; } // see copy_names.h

Q_SIGNALS:
    void patternChanged(const QString& pattern);
    void refused(const QString& why); // a pattern that was typed; copies keep their own names

private:
    void addChoice(const QString& title, const char* pattern);
    void choose(const QString& pattern);
    void ask();

    QActionGroup* m_choices;
    QString m_pattern;
};

} // namespace sg::ui
