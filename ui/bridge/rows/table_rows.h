#pragma once

#include <QMetaType>
#include <QString>
#include <QStringList>

#include <vector>

// What is asked and told of a table's columns.
namespace sg::ui {

// Rows whose cell passes. Numbers are compared where both are some; letters otherwise, large and small ones
// alike where a part is looked for.
struct TableFilter {
    enum class Test { Contains, Equals, Less, Greater };
    int column = -1; // every row
    Test test = Test::Contains;
    QString value = {};
    friend bool operator==(const TableFilter&, const TableFilter&) = default;
};

// Which rows, and in which order.
struct TableOrder {
    int column = -1; // as the rows stand in the file
    bool isDescending = false; // what is empty comes last either way
    TableFilter filter = {};
    friend bool operator==(const TableOrder&, const TableOrder&) = default;
};

// One column over all rows.
struct ColumnFacts {
    QString artifact;
    int column = -1;
    qint64 empty = 0; // rows without a value
    QString least, most; // of numbers and times
    qint64 distinct = -1; // of others; -1: unknown, or too many to count
    // Rows between least and most in parts of one width, or of each value where they are few: then `values`
    // names them.
    std::vector<double> bars;
    QStringList values;
    QString problem; // why nothing is known; empty: it is
};

inline constexpr int kMostColumnsWithFacts = 24;

} // namespace sg::ui

Q_DECLARE_METATYPE(sg::ui::TableOrder)
Q_DECLARE_METATYPE(sg::ui::ColumnFacts)
