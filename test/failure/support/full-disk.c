/*
 * Gives a process a disk that is full while the byte in the file FULL_DISK_FILE is not zero: no regular file grows, and what
 * lies within its size can still be written, as on a real one. The first write that meets the end gets half of its bytes in.
 * Loaded with LD_PRELOAD. Memory that looks like a file (/dev/shm) is left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile const char *full;
static int has_torn;

static int is_full(void) {
  static const char never = 0;
  if (!full) {
    const char *path = getenv("FULL_DISK_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    full = page == MAP_FAILED ? &never : page;
  }
  if (!*full) has_torn = 0;
  return *full;
}

/* Whether this write needs room that the file does not have yet; a negative offset is that of the descriptor. */
static int grows(int fd, off_t offset, size_t length) {
  struct stat file;
  if (!is_full() || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return 0;
  char link[64], path[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t known = readlink(link, path, sizeof path - 1);
  path[known > 0 ? known : 0] = 0;
  if (strncmp(path, "/dev/shm/", 9) == 0) return 0;
  if (offset < 0) offset = fcntl(fd, F_GETFL) & O_APPEND ? file.st_size : lseek(fd, 0, SEEK_CUR);
  return offset + (off_t)length > file.st_size;
}

static int refuse(void) {
  errno = ENOSPC;
  return -1;
}

static size_t length_of(const struct iovec *parts, int count) {
  size_t length = 0;
  for (int i = 0; i < count; i++) length += parts[i].iov_len;
  return length;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  if (!grows(fd, -1, length)) return real(fd, bytes, length);
  if (has_torn++ || length < 2) return refuse();
  return real(fd, bytes, length / 2);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  ssize_t (*real)(int, const struct iovec *, int) = dlsym(RTLD_NEXT, "writev");
  return grows(fd, -1, length_of(parts, count)) ? refuse() : real(fd, parts, count);
}

/* A program asks for one or the other name, as it was compiled. */
#define PWRITE(name)                                                                  \
  ssize_t name(int fd, const void *bytes, size_t length, off_t offset) {              \
    ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, #name);      \
    return grows(fd, offset, length) ? refuse() : real(fd, bytes, length, offset);    \
  }
#define PWRITEV(name)                                                                 \
  ssize_t name(int fd, const struct iovec *parts, int count, off_t offset) {          \
    ssize_t (*real)(int, const struct iovec *, int, off_t) = dlsym(RTLD_NEXT, #name); \
    return grows(fd, offset, length_of(parts, count)) ? refuse() : real(fd, parts, count, offset); \
  }
#define FALLOCATE(name)                                                               \
  int name(int fd, off_t offset, off_t length) {                                      \
    int (*real)(int, off_t, off_t) = dlsym(RTLD_NEXT, #name);                         \
    return grows(fd, offset, (size_t)length) ? ENOSPC : real(fd, offset, length);     \
  }
PWRITE(pwrite)
PWRITE(pwrite64)
PWRITEV(pwritev)
PWRITEV(pwritev64)
FALLOCATE(posix_fallocate)
FALLOCATE(posix_fallocate64)
