#pragma once

namespace sg::cli {

struct Shell;
class Verb;

// Threads as files, and what a project takes on the disk.
void addBundle(Verb app, Shell& shell);
void addStorage(Verb app, Shell& shell);

} // namespace sg::cli
