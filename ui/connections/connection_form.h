#pragma once

#include "ui/bridge/rows/connection_rows.h"
#include "ui/widgets/overlay.h"

class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace sg::ui {

class InkLabel;

// The form of a connection, over the window. Its key is named; the value is put where secrets are kept.
class ConnectionForm : public Overlay {
    Q_OBJECT
public:
    explicit ConnectionForm(QWidget* owner);

    void begin(const ConnectionRow& row, bool isNew, const QStringList& templates); // fills it and shows it
    void showFault(const QString& what); // it could not be saved
    [[nodiscard]] ConnectionRow row() const; // as it is filled in

Q_SIGNALS:
    void saveRequested(const sg::ui::ConnectionRow& row);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLineEdit* addLine(QFormLayout& rows, const QString& title, const QString& placeholder);
    void adapt(); // to the kind and the routing
    void save();

    InkLabel* m_title;
    QLineEdit* m_name;
    QComboBox* m_kind;
    QLineEdit* m_api;
    QComboBox* m_routing;
    QLineEdit* m_sandboxes;
    QLineEdit* m_key;
    QComboBox* m_template;
    QLineEdit* m_authorities;
    QSpinBox* m_time;
    InkLabel* m_fault;
    QPushButton* m_save;
};

} // namespace sg::ui
