#pragma once

#include <QMetaType>
#include <QString>
#include <QStringList>

#include <vector>

// Questions and answers about a table's columns.
namespace sg::ui {

// Selects rows by one cell. Two numbers are compared as numbers, anything else as text; Contains ignores
// case.
struct TableFilter {
    enum class Test { Contains, Equals, Less, Greater };
    int column = -1; // -1 selects every row
    Test test = Test::Contains;
    QString value = {};
    friend bool operator==(const TableFilter&, const TableFilter&) = default;
};

// Selects rows and their order.
struct TableOrder {
    int column = -1; // -1 keeps the order of the file
    bool isDescending = false; // empty cells come last in either order
    TableFilter filter = {};
    friend bool operator==(const TableOrder&, const TableOrder&) = default;
};

// Facts about one column over all rows.
struct ColumnFacts {
    QString artifact;
    int column = -1;
    qint64 empty = 0; // rows without a value
    QString least, most; // of numbers and times
    qint64 distinct = -1; // of other values; -1 if unknown or too many to count
    // Counts of rows in equal ranges from least to most, or of each value if there are few; then `values` has
    // them.
    std::vector<double> bars;
    QStringList values;
    QString problem; // why nothing is known; empty if it is
};

inline constexpr int kMostColumnsWithFacts = 24;

} // namespace sg::ui

Q_DECLARE_METATYPE(sg::ui::TableOrder)
Q_DECLARE_METATYPE(sg::ui::ColumnFacts)
