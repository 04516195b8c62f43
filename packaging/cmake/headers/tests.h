#include "packaging/cmake/headers/standard.h"

#include <QObject>
#include <QTest>
