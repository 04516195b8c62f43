#include "ui/connections/connection_form.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/style.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {
namespace {

using sandbox::e2b::Routing;
using sandbox::e2b::ServiceKind;

constexpr int kWidth = 560;

QComboBox* addChoice(QFormLayout& rows, const QString& title, QWidget* parent)
{
    auto* choice = new QComboBox(parent);
    choice->setAccessibleName(title);
    rows.addRow(title, choice);
    return choice;
}

template<typename Value>
void offer(QComboBox& choice, const QString& words, Value value)
{
    choice.addItem(words, static_cast<int>(value));
}

template<typename Value>
void choose(QComboBox& choice, Value value)
{
    choice.setCurrentIndex(std::max(0, choice.findData(static_cast<int>(value))));
}

template<typename Value>
Value chosen(const QComboBox& choice)
{
    return static_cast<Value>(choice.currentData().toInt());
}

} // namespace

ConnectionForm::ConnectionForm(QWidget* owner)
    : Overlay(owner)
    , m_title(new InkLabel(&Tokens::text, TextSize::Heading, QFont::DemiBold, this))
    , m_fault(new InkLabel(&Tokens::failed, TextSize::Dense, QFont::DemiBold, this))
    , m_save(new QPushButton(tr("Add and check"), this))
{
    setObjectName(QStringLiteral("connectionForm"));
    setFixedWidth(scaledLength(kWidth));
    auto* rows = new QFormLayout;
    rows->setLabelAlignment(Qt::AlignLeft);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_name = addLine(*rows, tr("Name"), tr("cloud; graphs choose it by this"));
    m_kind = addChoice(*rows, tr("Kind"), this);
    offer(*m_kind, tr("E2B, or another Sandglass"), ServiceKind::E2b);
    offer(*m_kind, tr("OpenKruise Agents"), ServiceKind::Kruise);
    m_api = addLine(*rows, tr("Address"), tr("https://api.e2b.app"));
    m_routing = addChoice(*rows, tr("Sandboxes are found by"), this);
    offer(*m_routing, tr("headers, at one address"), Routing::Headers);
    offer(*m_routing, tr("host: PORT-ID.DOMAIN"), Routing::Host);
    offer(*m_routing, tr("path: ADDRESS/kruise/ID/PORT"), Routing::Path);
    m_sandboxes = addLine(*rows, tr("Sandboxes"), {});
    m_key = addLine(*rows, tr("Key"), tr("name of the secret that is its key"));
    m_key->setToolTip(tr("Set its value by: sandglass secret set NAME. Only the name stands here."));
    m_template = addChoice(*rows, tr("Template"), this);
    m_template->setEditable(true);
    m_authorities = addLine(*rows, tr("Certificates"), tr("PEM file; empty: this machine's"));
    m_time = new QSpinBox(this);
    m_time->setRange(30, 86400);
    m_time->setSuffix(tr(" s"));
    m_time->setAccessibleName(tr("Time that a sandbox lives on"));
    m_time->setToolTip(tr("Seconds that a sandbox lives on when this program is gone"));
    rows->addRow(tr("Lives on for"), m_time);
    m_fault->setWordWrap(true);
    m_fault->hide();
    auto* cancel = new QPushButton(tr("Cancel"), this);
    m_save->setProperty("sgPrimary", true);
    for (QPushButton* button : { cancel, m_save })
        makeDense(button);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_fault, 1);
    foot->addStretch();
    foot->addWidget(cancel);
    foot->addWidget(m_save);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    column->addWidget(m_title);
    column->addLayout(rows);
    column->addLayout(foot);
    connect(cancel, &QPushButton::clicked, this, &Overlay::lift);
    connect(m_save, &QPushButton::clicked, this, &ConnectionForm::save);
    for (QComboBox* choice : { m_kind, m_routing })
        connect(choice, &QComboBox::currentIndexChanged, this, &ConnectionForm::adapt);
}

QLineEdit* ConnectionForm::addLine(QFormLayout& rows, const QString& title, const QString& placeholder)
{
    auto* line = new QLineEdit(this);
    line->setAccessibleName(title);
    line->setPlaceholderText(placeholder);
    line->setMaxLength(2000);
    rows.addRow(title, line);
    return line;
}

void ConnectionForm::begin(const ConnectionRow& row, bool isNew, const QStringList& templates)
{
    const QString title = isNew ? tr("New connection") : tr("Connection %1").arg(row.name);
    setAccessibleName(title);
    m_title->setText(title);
    m_save->setText(isNew ? tr("Add and check") : tr("Save and check"));
    m_name->setText(row.name);
    m_name->setEnabled(isNew);
    choose(*m_kind, row.kind);
    m_api->setText(row.api);
    choose(*m_routing, row.routing);
    m_sandboxes->setText(row.sandboxes == row.api ? QString() : row.sandboxes);
    m_key->setText(row.key);
    m_template->clear();
    m_template->addItems(templates);
    m_template->setCurrentText(row.sandboxTemplate);
    m_authorities->setText(row.authorities);
    m_time->setValue(row.timeSeconds);
    m_fault->hide();
    adapt();
    adjustSize();
    const QRect room = parentWidget()->window()->rect();
    layOver(parentWidget()->window()->mapToGlobal(
        QPoint((room.width() - width()) / 2, std::max(0, (room.height() - height()) / 3))));
    (isNew ? m_name : m_api)->setFocus(Qt::PopupFocusReason);
}

void ConnectionForm::adapt()
{
    const auto routing = chosen<Routing>(*m_routing);
    m_sandboxes->setPlaceholderText(routing == Routing::Host       ? tr("their domain")
                                        : routing == Routing::Path ? tr("https://HOST")
                                                                   : tr("the same address"));
    m_template->lineEdit()->setPlaceholderText(
        QString::fromLatin1(sandbox::e2b::defaultTemplate(chosen<ServiceKind>(*m_kind))));
}

ConnectionRow ConnectionForm::row() const
{
    ConnectionRow row;
    const auto words = [](const QLineEdit* line) { return line->text().trimmed(); };
    row.name = words(m_name);
    row.kind = chosen<ServiceKind>(*m_kind);
    row.api = words(m_api);
    while (row.api.endsWith(QLatin1Char('/')))
        row.api.chop(1);
    row.routing = chosen<Routing>(*m_routing);
    row.sandboxes = words(m_sandboxes);
    row.key = words(m_key);
    row.sandboxTemplate = m_template->currentText().trimmed();
    row.authorities = words(m_authorities);
    row.timeSeconds = m_time->value();
    return row;
}

void ConnectionForm::showFault(const QString& what)
{
    m_fault->setText(what);
    m_fault->show();
    adjustSize();
}

void ConnectionForm::save()
{
    m_fault->hide();
    Q_EMIT saveRequested(row());
}

void ConnectionForm::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        save();
    else
        Overlay::keyPressEvent(event);
}

} // namespace sg::ui
