// The case analysis of support/match.h, where the grammars' readers look for it.
#pragma once

#include "support/match.h"
