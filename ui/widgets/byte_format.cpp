#include "ui/widgets/byte_format.h"

#include <QLocale>

#include <array>
#include <cmath>

namespace sg::ui {

namespace {

struct Scaled {
    double value;
    int unit;
};

// The unit is chosen after rounding, so that 999.6 kB becomes "1 MB" and not "1000 kB".
Scaled scaled(double bytes, double base, int lastUnit)
{
    int unit = 0;
    while (unit < lastUnit && std::round(std::fabs(bytes)) >= base) {
        bytes /= base;
        ++unit;
    }
    return { bytes, unit };
}

// One decimal below ten, none above, and no ".0".
QString figures(double value)
{
    const int decimals = std::fabs(value) < 9.95 ? 1 : 0;
    QString text = QLocale().toString(value, 'f', decimals);
    const QString zero = QString(QLocale().decimalPoint()) + QLatin1Char('0');
    if (text.endsWith(zero))
        text.chop(zero.size());
    return text;
}

constexpr std::array kDecimal = { "B", "kB", "MB", "GB", "TB", "PB" };
constexpr std::array kBinary = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };

QString withUnit(const Scaled& part, const char* unit)
{
    const QString number = part.unit == 0 ? QLocale().toString(part.value, 'f', 0) : figures(part.value);
    return number + QChar(0x00A0) + QLatin1String(unit);
}

} // namespace

QString formatBytes(qint64 bytes)
{
    const Scaled part = scaled(static_cast<double>(bytes), 1000, static_cast<int>(kDecimal.size()) - 1);
    return withUnit(part, kDecimal[static_cast<std::size_t>(part.unit)]);
}

QString formatMemory(double bytes)
{
    if (!std::isfinite(bytes))
        return QString(QChar(0x2013));
    const Scaled part = scaled(bytes, 1024, static_cast<int>(kBinary.size()) - 1);
    return withUnit(part, kBinary[static_cast<std::size_t>(part.unit)]);
}

QString formatMemoryOf(double used, double limit)
{
    if (!(limit > 0))
        return formatMemory(used);
    const Scaled top = scaled(limit, 1024, static_cast<int>(kBinary.size()) - 1);
    const double inSameUnit = used / std::pow(1024.0, top.unit);
    if (inSameUnit >= 0.95 || used <= 0)
        return QStringLiteral("%1 of %2").arg(figures(inSameUnit), formatMemory(limit));
    return QStringLiteral("%1 of %2").arg(formatMemory(used), formatMemory(limit));
}

QString formatCount(qint64 count)
{
    QString digits = QString::number(std::llabs(count));
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, QChar(0x202F));
    return count < 0 ? QChar(0x2212) + digits : digits;
}

} // namespace sg::ui
