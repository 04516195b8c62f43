#pragma once

#include "core/base/value.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace sg::ui {

enum class Change { Same, Added, Changed, Removed };

// One entry of a map or list in two states of it. Of an added one `was` is null, of a removed one `now`;
// values are shared copies, so this is cheap.
struct ValueChange {
    enum class Label { Key, Index };
    Change change = Change::Same;
    Label label = Label::Key;
    QString name; // key, or "[6]"
    Value was;
    Value now;

    [[nodiscard]] const Value& shown() const { return change == Change::Removed ? was : now; }
};

struct ChangeCounts {
    int added = 0;
    int changed = 0;
    int removed = 0;
    friend bool operator==(const ChangeCounts&, const ChangeCounts&) = default;
};

// Entries of `now` in their order, then what only `was` has. Lists are matched from both ends, so that an
// item appended or put in the middle is one added item, not many changed ones. At most `most` entries, the
// rest is counted in `cut`.
struct ValueChanges {
    std::vector<ValueChange> entries;
    std::size_t cut = 0;
};
ValueChanges changesOf(const Value& was, const Value& now, std::size_t most);

// Changes at the leaves: an added list counts once, a map with two changed entries twice. Counting stops at
// `most`.
ChangeCounts countChanges(const Value& was, const Value& now, int most = 9999);

[[nodiscard]] bool hasEntries(const Value& value); // a map or list that is not empty

} // namespace sg::ui
