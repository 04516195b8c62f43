#include "ui/widgets/time_format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <cmath>

namespace sg::ui {

namespace {

const QChar kUnknownSign(0x2013);
const QChar kSpace(0x00A0);

QString number(double value, int decimals)
{
    return QLocale().toString(value, 'f', decimals);
}

QString twoDigits(qint64 value)
{
    return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0'));
}

QDateTime local(double timeMs)
{
    return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(std::llround(timeMs)));
}

bool isTime(double timeMs)
{
    return std::isfinite(timeMs) && std::fabs(timeMs) < 8.64e15;
}

QString timeText(const char* text)
{
    return QCoreApplication::translate("TimeFormat", text);
}

} // namespace

QString formatDuration(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0 || seconds > 1e12)
        return kUnknownSign;
    if (seconds < 0.00095)
        return number(seconds * 1e6, 0) + kSpace + QStringLiteral("µs");
    if (seconds < 0.00995)
        return number(seconds * 1e3, 1) + kSpace + QStringLiteral("ms");
    if (seconds < 0.9995)
        return number(seconds * 1e3, 0) + kSpace + QStringLiteral("ms");
    if (seconds < 9.95)
        return number(seconds, 1) + kSpace + QStringLiteral("s");
    const qint64 whole = std::llround(seconds);
    if (whole < 60)
        return number(static_cast<double>(whole), 0) + kSpace + QStringLiteral("s");
    if (whole < 3600)
        return QStringLiteral("%1%2min %3%2s")
            .arg(QString::number(whole / 60), kSpace, QString::number(whole % 60));
    return QStringLiteral("%1%2h %3%2min")
        .arg(QString::number(whole / 3600), kSpace, twoDigits(whole / 60 % 60));
}

QString formatCountdown(double seconds)
{
    if (!std::isfinite(seconds) || seconds > 1e12)
        return kUnknownSign;
    const qint64 whole = std::max<qint64>(0, std::llround(seconds));
    return QStringLiteral("%1:%2:%3")
        .arg(QString::number(whole / 3600), twoDigits(whole / 60 % 60), twoDigits(whole % 60));
}

QString formatClock(double timeMs)
{
    return isTime(timeMs) ? local(timeMs).toString(QStringLiteral("HH:mm:ss")) : QString(kUnknownSign);
}

QString formatClockMs(double timeMs)
{
    return isTime(timeMs) ? local(timeMs).toString(QStringLiteral("HH:mm:ss.zzz")) : QString(kUnknownSign);
}

QString formatDay(double timeMs, const QDateTime& now)
{
    if (!isTime(timeMs))
        return kUnknownSign;
    const QDateTime when = local(timeMs);
    const QString clock = when.toString(QStringLiteral("HH:mm"));
    const qint64 days = when.date().daysTo(now.date());
    if (days == 0)
        return timeText("today, %1").arg(clock);
    if (days == 1)
        return timeText("yesterday, %1").arg(clock);
    const QString format =
        when.date().year() == now.date().year() ? QStringLiteral("MMM d") : QStringLiteral("yyyy MMM d");
    return QLocale().toString(when.date(), format);
}

} // namespace sg::ui
