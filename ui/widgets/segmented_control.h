#pragma once

#include <QIcon>
#include <QString>
#include <QVariant>
#include <QWidget>

class QAbstractButton;
class QButtonGroup;

namespace sg::ui {

// Buttons in one frame. Single: exactly one is on ("Step | Clock | Folded"), arrow keys move. Toggles: each
// is independent ("Out | Err | Events").
class SegmentedControl : public QWidget {
    Q_OBJECT
public:
    enum class Mode { Single, Toggles };
    explicit SegmentedControl(const QString& accessibleName, Mode mode = Mode::Single,
                              QWidget* parent = nullptr);

    int addSegment(const QString& text, const QVariant& value = {}, const QIcon& icon = {});
    [[nodiscard]] int count() const;
    [[nodiscard]] int currentIndex() const; // Single: -1 while none is on
    [[nodiscard]] QVariant currentData() const;
    void setCurrentIndex(int index); // does not emit activated(); -1: none is on
    [[nodiscard]] bool isOn(int index) const;
    void setOn(int index, bool on); // Toggles
    [[nodiscard]] QAbstractButton* segment(int index) const; // for tooltips, shortcuts, enabling

Q_SIGNALS:
    void activated(int index); // Single: by the user
    void toggled(int index, bool on); // Toggles: by the user

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Mode m_mode;
    QButtonGroup* m_group;
};

} // namespace sg::ui
