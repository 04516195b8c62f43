#pragma once

#include "ui/selection/history_model.h"

#include <QStringList>

#include <algorithm>
#include <vector>

namespace sg::ui {

// The checkpoints that a search found. Their places are looked up when they are needed: a long history comes
// in pieces.
class FoundMarks {
public:
    void set(const QStringList& checkpoints)
    {
        m_checkpoints = checkpoints;
        m_among = -1;
    }

    // Puts their places into `places`, rising, where there may be others than at the last call.
    void place(const HistoryModel& model, std::vector<int>& places)
    {
        const auto count = static_cast<int>(model.marks().size());
        if (m_among == count)
            return;
        m_among = count;
        places.clear();
        for (const QString& checkpoint : m_checkpoints)
            if (const int place = model.find(checkpoint); place != HistoryModel::kNone)
                places.push_back(place);
        std::ranges::sort(places);
    }

private:
    QStringList m_checkpoints;
    int m_among = -1; // so many marks there were
};

} // namespace sg::ui
