import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { GCProfiler, getHeapStatistics } from 'node:v8';

const directory = process.env.BENCH_GARBAGE_DIRECTORY;
const file = path.join(directory, `${process.pid}.json`);
let asked = 0;
let kilobytes = 0;
/** In use after the last collection that was counted. */
let used = getHeapStatistics().used_heap_size;
let profiler = new GCProfiler();
profiler.start();

/** Adds what was allocated before each collection and since the last; the profiler is renewed, or it would keep them all. */
function count() {
  for (const { beforeGC, afterGC } of profiler.stop()?.statistics ?? []) {
    kilobytes += (beforeGC.heapStatistics.usedHeapSize - used) / 1024;
    used = afterGC.heapStatistics.usedHeapSize;
  }
  const now = getHeapStatistics().used_heap_size;
  kilobytes += (now - used) / 1024;
  used = now;
  profiler = new GCProfiler();
  profiler.start();
}

/** Renamed into place, so that no reader sees half of it. */
function tell() {
  count();
  writeFileSync(`${file}.new`, JSON.stringify({ asked: asked++, kilobytes }));
  renameSync(`${file}.new`, file);
}

mkdirSync(directory, { recursive: true });
// Nothing else sends or handles this one; a service ends at SIGUSR2.
process.on('SIGURG', tell);
tell();
