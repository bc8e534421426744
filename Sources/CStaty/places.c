#include "CStaty.h"

#include <stdlib.h>

_Thread_local struct staty_place staty_current_place;
_Thread_local bool staty_starts_thread;

struct staty_outer_place *staty_place_keep(struct staty_place outer) {
  struct staty_outer_place *kept = malloc(sizeof *kept);
  // If there is no memory, the outer places are unknown inside this one. Nothing else is lost.
  if (kept) *kept = (struct staty_outer_place){outer.numbering, outer.place, outer.further};
  return kept;
}

void staty_place_drop(struct staty_outer_place *kept) {
  free(kept);
}

uint64_t staty_place_find(const struct staty_outer_place *further, const void *numbering) {
  for (; further; further = further->further) {
    if (further->numbering == numbering) return further->place;
  }
  return 0;
}
