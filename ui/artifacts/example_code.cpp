#include "ui/artifacts/example_code.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace sg::ui {

QString ExampleCode::text()
{
    return QStringLiteral("import csv\n"
                          "\n"
                          "def main(state):\n"
                          "    with open(\"/session/artifacts/totals.csv\", \"w\", newline=\"\") as file:\n"
                          "        rows = csv.writer(file)\n"
                          "        rows.writerow([\"name\", \"total\"])\n"
                          "        rows.writerows(state[\"totals\"].items())\n"
                          "    return {\"saved\": \"totals.csv\"}\n");
}

ExampleCode::ExampleCode(QWidget* parent)
    : QWidget(parent)
{
    auto* title = new QLabel(tr("A Python node that saves a table"), this);
    title->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    auto* copy = new QPushButton(icon(QLatin1String("copy")), tr("Copy"), this);
    makeDense(copy);
    auto* back = new QPushButton(tr("Close"), this);
    makeDense(back);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 4, 8, 4);
    bar->addWidget(title, 1);
    bar->addWidget(copy);
    bar->addWidget(back);
    auto* code = new QPlainTextEdit(text(), this);
    code->setAccessibleName(tr("Example code"));
    code->setReadOnly(true);
    code->setFont(monoFont());
    code->setFrameShape(QFrame::NoFrame);
    code->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    code->document()->setDocumentMargin(8);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(code, 1);
    connect(copy, &QPushButton::clicked, this, [] { QGuiApplication::clipboard()->setText(text()); });
    connect(back, &QPushButton::clicked, this, &ExampleCode::closed);
}

} // namespace sg::ui
