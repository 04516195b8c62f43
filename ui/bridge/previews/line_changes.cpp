#include "ui/bridge/previews/line_changes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sg::ui {
namespace {

constexpr int kAround = 3;
constexpr int kMostSteps = 2000; // limit of added and removed lines together

struct Edit {
    enum class Kind { Same, Added, Removed };
    Kind kind = Kind::Same;
    QString text;
};

// Myers' shortest edit script for the parts between the common start and end. Empty if they differ too much.
std::vector<Edit> shortest(const QStringList& a, const QStringList& b)
{
    const int n = static_cast<int>(a.size());
    const int m = static_cast<int>(b.size());
    const int most = std::min(n + m, kMostSteps);
    std::vector<int> reach(static_cast<std::size_t>(2 * most + 2), 0);
    std::vector<std::vector<int>> trace;
    const auto at = [most](int k) { return static_cast<std::size_t>(k + most); };
    int steps = -1;
    for (int d = 0; d <= most && steps < 0; ++d) {
        trace.push_back(reach);
        for (int k = -d; k <= d; k += 2) {
            int x = k == -d || (k != d && reach[at(k - 1)] < reach[at(k + 1)]) ? reach[at(k + 1)]
                                                                               : reach[at(k - 1)] + 1;
            while (x < n && x - k < m && a[x] == b[x - k])
                ++x;
            reach[at(k)] = x;
            if (x >= n && x - k >= m) {
                steps = d;
                break;
            }
        }
    }
    std::vector<Edit> edits;
    if (steps < 0)
        return edits;
    int x = n;
    int y = m;
    for (int d = steps; d >= 0; --d) {
        const std::vector<int>& before = trace[static_cast<std::size_t>(d)];
        const int k = x - y;
        const bool down = k == -d || (k != d && before[at(k - 1)] < before[at(k + 1)]);
        const int fromX = d == 0 ? 0 : before[at(down ? k + 1 : k - 1)];
        const int fromY = d == 0 ? 0 : fromX - (down ? k + 1 : k - 1);
        while (x > fromX && y > fromY && (d == 0 || x > (down ? fromX : fromX + 1))) {
            edits.push_back({ Edit::Kind::Same, a[x - 1] });
            --x;
            --y;
        }
        if (d == 0)
            break;
        if (down)
            edits.push_back({ Edit::Kind::Added, b[--y] });
        else
            edits.push_back({ Edit::Kind::Removed, a[--x] });
    }
    std::ranges::reverse(edits);
    return edits;
}

} // namespace

LineChanges lineChanges(const QStringList& older, const QStringList& newer)
{
    LineChanges changes;
    qsizetype head = 0;
    while (head < older.size() && head < newer.size() && older[head] == newer[head])
        ++head;
    qsizetype tail = 0;
    while (tail < older.size() - head && tail < newer.size() - head
           && older[older.size() - 1 - tail] == newer[newer.size() - 1 - tail])
        ++tail;
    const QStringList a = older.mid(head, older.size() - head - tail);
    const QStringList b = newer.mid(head, newer.size() - head - tail);
    if (a.isEmpty() && b.isEmpty())
        return changes;
    std::vector<Edit> edits = shortest(a, b);
    if (edits.empty()) {
        changes.isCut = true;
        for (const QString& line : a)
            edits.push_back({ Edit::Kind::Removed, line });
        for (const QString& line : b)
            edits.push_back({ Edit::Kind::Added, line });
    }
    std::vector<Edit> all;
    for (qsizetype i = std::max<qsizetype>(0, head - kAround); i < head; ++i)
        all.push_back({ Edit::Kind::Same, older[i] });
    all.insert(all.end(), edits.begin(), edits.end());
    for (qsizetype i = older.size() - tail; i < std::min(older.size(), older.size() - tail + kAround); ++i)
        all.push_back({ Edit::Kind::Same, older[i] });
    const auto isNear = [&all](std::size_t place) {
        const std::size_t from = place < kAround ? 0 : place - kAround;
        const std::size_t to = std::min(all.size(), place + kAround + 1);
        return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(from),
                           all.begin() + static_cast<std::ptrdiff_t>(to),
                           [](const Edit& edit) { return edit.kind != Edit::Kind::Same; });
    };
    bool isLeftOut = head > kAround;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!isNear(i)) {
            isLeftOut = true;
            continue;
        }
        if (std::exchange(isLeftOut, false))
            changes.lines << QStringLiteral("@");
        const Edit& edit = all[i];
        changes.added += edit.kind == Edit::Kind::Added ? 1 : 0;
        changes.removed += edit.kind == Edit::Kind::Removed ? 1 : 0;
        changes.lines << (edit.kind == Edit::Kind::Added         ? QStringLiteral("+")
                              : edit.kind == Edit::Kind::Removed ? QStringLiteral("-")
                                                                 : QStringLiteral(" "))
                + edit.text;
    }
    if (isLeftOut || tail > kAround)
        changes.lines << QStringLiteral("@");
    return changes;
}

} // namespace sg::ui
