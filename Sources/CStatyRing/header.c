#include <unistd.h>

#include "CStatyRing.h"

void staty_header_describe(
    struct staty_ring_header *header, uint32_t lanes, uint32_t pieces, uint32_t records,
    uint64_t log_bytes) {
  header->magic = STATY_RING_MAGIC;
  header->version = STATY_RING_VERSION;
  header->head_bytes = STATY_RING_HEAD;
  header->lanes = lanes;
  header->pieces = pieces;
  header->records = records;
  header->log_bytes = log_bytes;
  header->file_bytes =
      STATY_RING_HEAD + (uint64_t)pieces * records * sizeof(struct staty_record) + log_bytes;
  header->pid = (uint32_t)getpid();
}

uint64_t staty_header_check(const struct staty_ring_header *header) {
  return staty_log_body_check(header, offsetof(struct staty_ring_header, check), 0, 0);
}

uint64_t staty_header_salt(const struct staty_ring_header *header) {
  return staty_log_body_check(header->session, sizeof header->session, header->began_ns, 0);
}
