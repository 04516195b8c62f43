#include "app/workbench/options.h"

#include <QRegularExpression>

#include <algorithm>
#include <string_view>

namespace {

constexpr int kLeast = 320; // pixels a side
constexpr int kMost = 8000;

} // namespace

Options::Options()
{
    parser.setApplicationDescription(
        QStringLiteral("Runs agent workflows in sandboxes and goes back to any step."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("PROJECT"),
        QStringLiteral("project folder, graph file, or a checkpoint database from anywhere: a file, or "
                       "postgresql://HOST/DATABASE"));
    parser.addOptions({ theme, sample, fresh, macro, leave, screenshot, exported, database, size, layout,
                        panel, thread, checkpoint, node, startup });
}

QSize Options::wantedSize() const
{
    static const QRegularExpression form(QStringLiteral("^(\\d{1,5})[xX×](\\d{1,5})$"));
    const auto match = form.match(parser.value(size));
    return match.hasMatch() ? QSize(match.captured(1).toInt(), match.captured(2).toInt()) : QSize();
}

QString Options::fault() const
{
    if (parser.positionalArguments().size() > 1)
        return QStringLiteral("one project is opened, and more were named: %1")
            .arg(parser.positionalArguments().join(QStringLiteral(", ")));
    if (parser.isSet(database) && parser.positionalArguments().isEmpty())
        return QStringLiteral("--db holds the threads of a project, and none is named. A database alone is "
                              "opened by its name, without --db");
    const QSize wanted = wantedSize();
    const auto fits = [](int side) { return side >= kLeast && side <= kMost; };
    if (parser.isSet(size) && !(fits(wanted.width()) && fits(wanted.height())))
        return QStringLiteral("--size is WIDTHxHEIGHT, each from %1 to %2: not %3")
            .arg(kLeast)
            .arg(kMost)
            .arg(parser.value(size));
    const QString look = parser.value(theme);
    if (parser.isSet(theme) && look != QLatin1String("light") && look != QLatin1String("dark")
        && look != QLatin1String("system"))
        return QStringLiteral("--theme is light, dark or system: not %1").arg(look);
    for (const QCommandLineOption* option : { &macro, &screenshot, &exported })
        if (parser.isSet(*option) && parser.value(*option).isEmpty())
            return QStringLiteral("--%1 needs a file").arg(option->names().constFirst());
    return sg::ui::BatchJob::faultIn(order());
}

sg::ui::BatchOrder Options::order() const
{
    sg::ui::BatchOrder order;
    order.thread = parser.value(thread);
    order.checkpoint = parser.value(checkpoint);
    order.node = parser.value(node);
    order.layout = parser.value(layout);
    order.macro = parser.value(macro);
    order.panel = parser.value(panel);
    order.screenshot = parser.value(screenshot);
    order.exported = parser.value(exported);
    return order;
}

bool asksForFile(int argc, char** argv)
{
    return std::any_of(argv + 1, argv + argc, [](std::string_view word) {
        return word.starts_with("--screenshot") || word.starts_with("--export");
    });
}
