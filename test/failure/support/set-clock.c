/*
 * Gives a process a clock of its own: the real time plus an offset that a test may change at any moment. The offset lies
 * in the file CLOCK_OFFSET_FILE, microseconds in eight bytes. Loaded with LD_PRELOAD. The clock that only ever rises is
 * left alone, as it is when somebody sets the time. Nothing here allocates: redis-server asks for the time while its
 * allocator starts.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t none = 0;
static volatile const int64_t *offset;

static int64_t now_micros(void) {
  if (!offset) {
    const char *path = getenv("CLOCK_OFFSET_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof none, PROT_READ, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    offset = page == MAP_FAILED ? &none : page;
  }
  struct timespec real;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &real);
  return (int64_t)real.tv_sec * 1000000 + real.tv_nsec / 1000 + *offset;
}

int clock_gettime(clockid_t id, struct timespec *moment) {
  if (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE) return syscall(SYS_clock_gettime, id, moment);
  int64_t now = now_micros();
  moment->tv_sec = now / 1000000;
  moment->tv_nsec = now % 1000000 * 1000;
  return 0;
}

int gettimeofday(struct timeval *restrict moment, void *restrict zone) {
  (void)zone;
  int64_t now = now_micros();
  moment->tv_sec = now / 1000000;
  moment->tv_usec = now % 1000000;
  return 0;
}

time_t time(time_t *moment) {
  time_t now = now_micros() / 1000000;
  if (moment) *moment = now;
  return now;
}
