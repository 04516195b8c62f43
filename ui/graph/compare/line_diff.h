#pragma once

#include <QString>

#include <vector>

namespace sg::ui {

struct DiffLine {
    QChar sign; // ' ', '+', '-'; '@': lines that are the same are left out here
    QString text;
    friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

// What a reader of both texts would see changed, with `around` lines before and after each change.
std::vector<DiffLine> lineDiff(const QString& before, const QString& after, int around = 3);

} // namespace sg::ui
