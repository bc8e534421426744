#define _GNU_SOURCE
#include "COrders.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdlib.h>
#include <string.h>

size_t orders_calls(void **addresses, size_t most) {
  int count = backtrace(addresses, (int)most);
  return count > 0 ? (size_t)count : 0;
}

#if defined(__linux__)
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The program's own functions: `dladdr` knows only those that libraries can call.
static struct {
  const Elf64_Sym *symbols;
  size_t count;
  const char *names;
  uintptr_t base;
} program;

static int keep_base(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size, (void)context;
  // The first is the program.
  program.base = info->dlpi_addr;
  return 1;
}

static void read_program(void) {
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0) return;
  if (fstat(file, &status) == 0 && (size_t)status.st_size > sizeof(Elf64_Ehdr)) {
    const char *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    const Elf64_Ehdr *header = (const void *)bytes;
    if (bytes != MAP_FAILED && header->e_ident[EI_CLASS] == ELFCLASS64) {
      // It stays mapped: it is the running program, which the system has read already.
      const Elf64_Shdr *sections = (const void *)(bytes + header->e_shoff);
      for (size_t at = 0; at < header->e_shnum; at++) {
        if (sections[at].sh_type != SHT_SYMTAB) continue;
        program.symbols = (const void *)(bytes + sections[at].sh_offset);
        program.count = sections[at].sh_size / sizeof(Elf64_Sym);
        program.names = bytes + sections[sections[at].sh_link].sh_offset;
      }
    }
  }
  close(file);
  dl_iterate_phdr(keep_base, NULL);
}

const char *orders_function(const void *address) {
  static bool is_read;
  if (!is_read) {
    is_read = true;
    read_program();
  }
  uintptr_t place = (uintptr_t)address - program.base;
  for (size_t at = 0; at < program.count; at++) {
    const Elf64_Sym *symbol = &program.symbols[at];
    if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_value <= place
        && place < symbol->st_value + symbol->st_size) {
      return program.names + symbol->st_name;
    }
  }
  return NULL;
}

#else

const char *orders_function(const void *address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_sname : NULL;
}

#endif

extern char *swift_demangle(
    const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);

bool orders_demangle(const char *name, char *text, size_t size) {
  char *demangled = swift_demangle(name, strlen(name), NULL, NULL, 0);
  if (!demangled) return false;
  bool fits = strlen(demangled) < size;
  if (fits) strcpy(text, demangled);
  free(demangled);
  return fits;
}
