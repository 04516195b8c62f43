#pragma once

#include "core/base/child_process.h"

#include <string>

namespace sg::sandbox::egress {

// The first bytes of a connection, and a descriptor if one came with them.
struct FirstWords {
    std::string bytes;
    Fd passed;
};
FirstWords firstWords(int socket); // does not wait

// True for a listening TCP socket of the sandbox's own network: serving it grants nothing new.
bool isListener(int socket);

// Makes accept() non-blocking. The sandbox may hold the very same socket and undo that.
void stopWaitingOn(int listener);

} // namespace sg::sandbox::egress
