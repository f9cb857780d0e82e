/*
 * Makes kill -9 of redis-server as bad as a power cut. What Redis writes to its append-only file is kept in the memory
 * of the process and reaches the file only when the file is synced; killing the process loses the rest, as losing the
 * page cache would. Loaded with LD_PRELOAD; every other file is left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FDS 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  int append_only;
  char *bytes;
  size_t used, room;
} files[FDS];

/* Asked every time unless it is one: libc closes its own streams without telling us, and descriptors are used again. */
static int is_append_only(int fd) {
  if (fd < 0 || fd >= FDS) return 0;
  if (!files[fd].append_only) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    files[fd].append_only = strstr(path, ".incr.aof") != NULL;
  }
  return files[fd].append_only;
}

static void flush(int fd) {
  ssize_t (*real_write)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  size_t done = 0;
  while (done < files[fd].used) {
    ssize_t count = real_write(fd, files[fd].bytes + done, files[fd].used - done);
    if (count <= 0) abort();
    done += (size_t)count;
  }
  files[fd].used = 0;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  pthread_mutex_lock(&lock);
  if (!is_append_only(fd)) {
    pthread_mutex_unlock(&lock);
    return real(fd, bytes, length);
  }
  if (files[fd].used + length > files[fd].room) {
    files[fd].room = (files[fd].used + length) * 2;
    files[fd].bytes = realloc(files[fd].bytes, files[fd].room);
    if (!files[fd].bytes) abort();
  }
  memcpy(files[fd].bytes + files[fd].used, bytes, length);
  files[fd].used += length;
  pthread_mutex_unlock(&lock);
  return (ssize_t)length;
}

static int synced(int fd, const char *name) {
  int (*real)(int) = dlsym(RTLD_NEXT, name);
  pthread_mutex_lock(&lock);
  if (is_append_only(fd)) flush(fd);
  pthread_mutex_unlock(&lock);
  return real(fd);
}

int fsync(int fd) { return synced(fd, "fsync"); }
int fdatasync(int fd) { return synced(fd, "fdatasync"); }

int close(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "close");
  pthread_mutex_lock(&lock);
  if (fd >= 0 && fd < FDS) {
    if (files[fd].append_only) flush(fd);
    files[fd].append_only = 0;
  }
  pthread_mutex_unlock(&lock);
  return real(fd);
}
