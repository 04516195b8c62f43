#pragma once

#include <QString>
#include <QWidget>

class QGridLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace sg::ui {

// Rows with a title on the left, a field on the right, and below the field what is wrong with it.
class FormRows : public QWidget {
    Q_OBJECT
public:
    explicit FormRows(QWidget* parent = nullptr);

    QLineEdit* addLine(const QString& title, const QString& placeholder = {});
    QPlainTextEdit* addCode(const QString& title, int lines);
    void addRow(const QString& title, QWidget* field);
    void addHeading(const QString& title, QWidget* beside = nullptr);
    // Shows the fault below the field; an empty one hides it.
    void setFault(QWidget* field, const QString& fault);
    void setRowVisible(QWidget* field, bool visible);

private:
    QGridLayout* m_grid;
};

// Sets the text without moving the cursor if the field shows it already.
void showText(QLineEdit& field, const QString& text);
void showText(QPlainTextEdit& field, const QString& text);

} // namespace sg::ui
