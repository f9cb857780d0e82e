import type { CallerView, ListMatch, StepNote } from '@verdict/contracts/step-note.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { type Caller, look, type Subject } from '@verdict/redis-store/step.js';

/** A caller and one of its checks, as the gateway would see them. */
export async function lookAt(
  redis: RedisConnection,
  caller: Caller,
  subject?: Subject,
): Promise<{ readonly view: CallerView; readonly match: ListMatch | undefined }> {
  const group = { caller, count: subject ? 1 : 0, subjects: subject && [subject], once: null };
  const { callers, groups } = JSON.parse(await look({ redis, shards: 1 }, [group])) as StepNote;
  const [view] = callers;
  if (!view) throw new Error('no caller');
  return { view, match: groups[0]?.matches?.[0] };
}
