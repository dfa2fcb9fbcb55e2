import type { EventStore } from "../follow.ts";
import type { RecordStore } from "../sync.ts";

/** A store in memory, for experiments and for work that may be repeated after a restart. */
export function memoryStore(): EventStore<undefined> & RecordStore<undefined> {
  const handled = new Set<string>();
  let kept: string | null = null;
  return {
    cursor: async () => kept,
    once: async (eventId, work) => {
      if (handled.has(eventId)) return;
      await work(undefined);
      handled.add(eventId);
    },
    advance: async (cursor) => {
      kept = cursor;
      handled.clear();
    },
    keep: async (cursor, work) => {
      await work(undefined);
      kept = cursor;
    },
  };
}
