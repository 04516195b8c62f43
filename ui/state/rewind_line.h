#pragma once

#include <QWidget>

class QGridLayout;
class QLabel;

namespace sg::ui {

class ElidedLabel;
class RewindSign;

// How the sandbox can be brought back to the shown checkpoint, with what would be missing. Hidden where no
// session belongs to it.
class RewindLine : public QWidget {
    Q_OBJECT
public:
    explicit RewindLine(QWidget* parent = nullptr);
    // `sandbox`: "exact", "restored", "none"; empty: nothing to say. `note`: what would be missing.
    void setRewind(const QString& sandbox, const QString& note);

Q_SIGNALS:
    void showRequested(); // names and files one by one

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    RewindSign* m_sign;
    QLabel* m_title;
    ElidedLabel* m_note;
    QGridLayout* m_grid;
};

} // namespace sg::ui
