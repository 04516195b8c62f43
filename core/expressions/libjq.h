#pragma once

// libjq's headers do not say that they are C.
extern "C" {
#include <jq.h>
#include <jv.h>
}
