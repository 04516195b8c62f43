#include "packaging/cmake/headers/standard.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QApplication>
#include <QHash>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QVBoxLayout>
#include <QWidget>
