#pragma once

#include "ui/bridge/rows/query_rows.h"
#include "ui/shell/parts/window_part.h"

#include <vector>

class QAction;

namespace sg::ui {

class SearchPanel;

// What is looked for in the whole database, and its marks on the timeline.
class SearchPart : public WindowPart {
    Q_OBJECT
public:
    SearchPart(const WindowParts& parts, SearchPanel& search);

    [[nodiscard]] QAction* findAction() const { return m_find; }

private:
    SearchPanel* const m_search;
    QAction* m_find;
    std::vector<SearchHit> m_found; // by the search
};

} // namespace sg::ui
