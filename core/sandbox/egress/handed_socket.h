#pragma once

#include "core/base/child_process.h"

#include <string>

namespace sg::sandbox::egress {

// The first bytes of a connection, and a descriptor where one came with them.
struct FirstWords {
    std::string bytes;
    Fd passed;
};
FirstWords firstWords(int socket); // without waiting

// A socket that accepts TCP connections of its own network: no more than the sandbox could do without it.
bool isListener(int socket);

// Asks that accepting from it should not wait. The sandbox may hold the very same socket and undo that.
void stopWaitingOn(int listener);

} // namespace sg::sandbox::egress
