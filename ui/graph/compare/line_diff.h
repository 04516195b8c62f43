#pragma once

#include <QString>

#include <vector>

namespace sg::ui {

struct DiffLine {
    QChar sign; // ' ', '+', '-'; '@' stands for omitted lines that are equal
    QString text;
    friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

// The changed lines, with `around` equal lines before and after each change.
std::vector<DiffLine> lineDiff(const QString& before, const QString& after, int around = 3);

} // namespace sg::ui
