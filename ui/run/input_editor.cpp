#include "ui/run/input_editor.h"

#include "core/base/json.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace sg::ui {

InputEditor::InputEditor(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_text(new QPlainTextEdit(this))
    , m_message(new QLabel(this))
    , m_run(new QPushButton(tr("Run with this input"), this))
{
    setFrameShape(QFrame::StyledPanel);
    setObjectName(QStringLiteral("inputEditor"));
    auto* title = new QLabel(tr("Input of the next run, as JSON"), this);
    title->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_text->setFont(monoFont());
    m_text->setAccessibleName(tr("Input as JSON"));
    m_text->setTabChangesFocus(true);
    m_text->setMinimumSize(scaledLength(380), scaledLength(140));
    m_text->installEventFilter(this);
    m_message->setFont(uiFont(TextSize::Dense));
    m_message->setWordWrap(true);
    m_run->setProperty("sgPrimary", true);
    makeDense(m_run);

    auto* foot = new QHBoxLayout;
    foot->addWidget(m_message, 1);
    foot->addWidget(m_run);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->setSpacing(8);
    layout->addWidget(title);
    layout->addWidget(m_text, 1);
    layout->addLayout(foot);

    connect(m_text, &QPlainTextEdit::textChanged, this, &InputEditor::check);
    connect(m_run, &QPushButton::clicked, this, [this] {
        hide();
        Q_EMIT runRequested();
    });
    check();
}

void InputEditor::setJson(const QString& json)
{
    m_text->setPlainText(json);
}

QString InputEditor::json() const
{
    return m_text->toPlainText().trimmed();
}

void InputEditor::popUp(const QPoint& globalTopLeft)
{
    adjustSize();
    move(globalTopLeft);
    show();
    m_text->setFocus();
}

void InputEditor::check()
{
    m_problem.clear();
    const QByteArray text = json().toUtf8();
    if (!text.isEmpty()) {
        auto value = parseJson(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
        if (!value)
            m_problem = QString::fromStdString(value.error().message);
        else if (!value->isMap())
            m_problem = tr("The input is an object: {\"channel\": value}");
    }
    m_run->setEnabled(isValid());
    m_message->setText(isValid() ? tr("Ctrl+Enter runs") : m_problem);
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, color(isValid() ? &Tokens::muted : &Tokens::failed));
    m_message->setPalette(colors);
    Q_EMIT changed();
}

bool InputEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)
            && key->modifiers() == Qt::ControlModifier) {
            m_run->click();
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void InputEditor::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        hide();
    else
        QFrame::keyPressEvent(event);
}

} // namespace sg::ui
