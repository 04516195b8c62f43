#pragma once

#include "ui/bridge/rows/rows.h"

#include <QString>

#include <vector>

// Token usage of models, taken from the messages in a thread's history.
namespace sg::ui {

struct UsageRow {
    QString name; // of a node, run, thread or model; empty for the sum
    qint64 calls = 0;
    qint64 input = 0; // tokens
    qint64 output = 0;
    double cost = kUnknown; // of the calls whose model has a price; kUnknown if none has
    qint64 unpriced = 0; // calls of models without a price
    double seconds = kUnknown; // duration of the tasks that made them
};

struct UsageRows {
    QString thread;
    QString checkpoint; // the end of the way that is summed up; empty for the whole thread
    UsageRow sum = {};
    std::vector<UsageRow> nodes = {};
    std::vector<UsageRow> runs = {};
    std::vector<UsageRow> models = {};
    QString currency = {};
    QString priceDate = {}; // of the price table
    UserError error = {};
};

struct PriceRow { // for a million tokens
    QString model;
    double input = kUnknown;
    double output = kUnknown;
    QString date; // of the lookup: "2026-01-31"
    friend bool operator==(const PriceRow&, const PriceRow&) = default;
};

struct PriceTable {
    QString file;
    QString currency;
    std::vector<PriceRow> rows;
    UserError error = {};
    bool isUnreadable = false; // the file has unknown content, so it must not be overwritten
    quint64 edit = 0; // the user's edit that this answers, or 0
};

} // namespace sg::ui
