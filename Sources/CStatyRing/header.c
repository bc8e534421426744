#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "CStatyRing.h"

#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif

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
  header->process_start = staty_process_start();
}

uint64_t staty_header_check(const struct staty_ring_header *header) {
  return staty_log_body_check(header, offsetof(struct staty_ring_header, check), 0, 0);
}

uint64_t staty_header_salt(const struct staty_ring_header *header) {
  return staty_log_body_check(header->session, sizeof header->session, header->began_ns, 0);
}

#if defined(__APPLE__)

uint64_t staty_process_start(void) {
  struct kinfo_proc info;
  size_t size = sizeof info;
  int name[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()};
  if (sysctl(name, 4, &info, &size, NULL, 0) != 0 || size == 0) return 0;
  struct timeval start = info.kp_proc.p_starttime;
  return (uint64_t)start.tv_sec * 1000000u + (uint64_t)start.tv_usec;
}

#elif defined(__linux__)

// The 22nd field of /proc/self/stat. The second field, the program's name in parentheses, may contain
// blanks and parentheses, so the fields are counted from the last parenthesis.
uint64_t staty_process_start(void) {
  char text[1024];
  FILE *file = fopen("/proc/self/stat", "re");
  if (!file) return 0;
  size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = 0;
  const char *field = strrchr(text, ')');
  for (int number = 2; field && number < 22; number++) field = strchr(field + 1, ' ');
  unsigned long long start = 0;
  if (!field || sscanf(field, "%llu", &start) != 1) return 0;
  return start;
}

#else

uint64_t staty_process_start(void) { return 0; }

#endif
