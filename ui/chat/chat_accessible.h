#pragma once

namespace sg::ui {

// The messages and calls of a ChatView as items of a list, for screen readers and scripts.
class ChatAccessible {
public:
    static void install(); // once is enough
};

} // namespace sg::ui
