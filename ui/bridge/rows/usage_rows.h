#pragma once

#include "ui/bridge/rows/rows.h"

#include <QString>

#include <vector>

// What models were asked for, as the messages in a thread's history tell it.
namespace sg::ui {

struct UsageRow {
    QString name; // of a node, run, thread or model; of the sum: empty
    qint64 calls = 0;
    qint64 input = 0; // tokens
    qint64 output = 0;
    double cost = kUnknown; // of the calls whose model has a price; kUnknown: none has
    qint64 unpriced = 0; // calls whose model has none
    double seconds = kUnknown; // of the tasks that made them
};

struct UsageRows {
    QString thread;
    QString checkpoint; // the end of the way that is summed up; empty: the whole thread
    UsageRow sum = {};
    std::vector<UsageRow> nodes = {};
    std::vector<UsageRow> runs = {};
    std::vector<UsageRow> models = {};
    QString currency = {};
    QString priceDate = {}; // of the table
    UserError error = {};
};

struct PriceRow { // for a million tokens
    QString model;
    double input = kUnknown;
    double output = kUnknown;
    QString date; // when it was looked up: "2026-01-31"
    friend bool operator==(const PriceRow&, const PriceRow&) = default;
};

struct PriceTable {
    QString file;
    QString currency;
    std::vector<PriceRow> rows;
    UserError error = {};
    bool isUnreadable = false; // what stands in the file is unknown: nothing may be written over it
    quint64 edit = 0; // which of the user's edits this answers; 0: none
};

} // namespace sg::ui
