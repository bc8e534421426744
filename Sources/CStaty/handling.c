#include "CStaty.h"

_Thread_local struct staty_handling staty_current_handling;
