#include "ui/terminal/terminal_keys.h"

#include <QKeyEvent>

#include <array>

namespace sg::ui {
namespace {

struct Named {
    int key;
    int number; // number in ESC [ number ~; 0 if there is a letter instead
    char letter; // letter in ESC [ letter
};
constexpr std::array<Named, 22> kNamed = { {
    { Qt::Key_Up, 0, 'A' },   { Qt::Key_Down, 0, 'B' },   { Qt::Key_Right, 0, 'C' }, { Qt::Key_Left, 0, 'D' },
    { Qt::Key_Home, 0, 'H' }, { Qt::Key_End, 0, 'F' },    { Qt::Key_Insert, 2, 0 },  { Qt::Key_Delete, 3, 0 },
    { Qt::Key_PageUp, 5, 0 }, { Qt::Key_PageDown, 6, 0 }, { Qt::Key_F1, 0, 'P' },    { Qt::Key_F2, 0, 'Q' },
    { Qt::Key_F3, 0, 'R' },   { Qt::Key_F4, 0, 'S' },     { Qt::Key_F5, 15, 0 },     { Qt::Key_F6, 17, 0 },
    { Qt::Key_F7, 18, 0 },    { Qt::Key_F8, 19, 0 },      { Qt::Key_F9, 20, 0 },     { Qt::Key_F10, 21, 0 },
    { Qt::Key_F11, 23, 0 },   { Qt::Key_F12, 24, 0 },
} };

QByteArray namedBytes(const Named& named, Qt::KeyboardModifiers modifiers, bool arrowsAreKeys)
{
    const int held = 1 + (modifiers.testFlag(Qt::ShiftModifier) ? 1 : 0)
        + (modifiers.testFlag(Qt::AltModifier) ? 2 : 0) + (modifiers.testFlag(Qt::ControlModifier) ? 4 : 0);
    const QByteArray with = held > 1 ? ';' + QByteArray::number(held) : QByteArray();
    if (named.number > 0)
        return "\x1b[" + QByteArray::number(named.number) + with + '~';
    const bool isFunction = named.key >= Qt::Key_F1 && named.key <= Qt::Key_F4;
    if (held > 1)
        return "\x1b[1" + with + named.letter;
    return QByteArray(isFunction || arrowsAreKeys ? "\x1bO" : "\x1b[") + named.letter;
}

// Ctrl+A is 1; Ctrl+[ is ESC.
QByteArray controlBytes(int key)
{
    if (key == Qt::Key_Space || key == Qt::Key_At)
        return QByteArray(1, '\0');
    if (key >= Qt::Key_A && key <= Qt::Key_Underscore)
        return QByteArray(1, static_cast<char>(key & 0x1F));
    return {};
}

} // namespace

QByteArray keyBytes(const QKeyEvent& event, bool arrowsAreKeys)
{
    const auto modifiers = event.modifiers();
    for (const Named& named : kNamed)
        if (event.key() == named.key)
            return namedBytes(named, modifiers, arrowsAreKeys);
    const QByteArray before(modifiers.testFlag(Qt::AltModifier) ? "\x1b" : "");
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: return before + '\r';
    case Qt::Key_Tab: return before + '\t';
    case Qt::Key_Backtab: return "\x1b[Z";
    case Qt::Key_Backspace: return before + (modifiers.testFlag(Qt::ControlModifier) ? '\b' : '\x7f');
    case Qt::Key_Escape: return before + '\x1b';
    default: break;
    }
    if (modifiers.testFlag(Qt::ControlModifier))
        if (const QByteArray code = controlBytes(event.key()); !code.isEmpty())
            return before + code;
    return event.text().isEmpty() ? QByteArray() : before + event.text().toUtf8();
}

QByteArray pasteBytes(const QString& text, bool isTold)
{
    QString clean = text;
    clean.replace(QLatin1String("\r\n"), QLatin1String("\r")).replace(QLatin1Char('\n'), QLatin1Char('\r'));
    clean.removeIf([](QChar letter) {
        return letter.category() == QChar::Other_Control && letter != QLatin1Char('\r')
            && letter != QLatin1Char('\t');
    });
    return isTold ? "\x1b[200~" + clean.toUtf8() + "\x1b[201~" : clean.toUtf8();
}

bool isOfTheWindow(const QKeyEvent& event)
{
    const auto modifiers = event.modifiers();
    return event.key() == Qt::Key_F6 || modifiers.testFlags(Qt::ControlModifier | Qt::ShiftModifier)
        || modifiers.testFlags(Qt::ControlModifier | Qt::AltModifier);
}

} // namespace sg::ui
