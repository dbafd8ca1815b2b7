import type { Timer } from './actor.ts';

/** Creates a list of timers, of which the earliest is known. Of those at the same time, the one that was added first comes first. */
export function createTimerHeap() {
  const heap: { timer: Timer; order: number }[] = [];
  let added = 0;

  /** Whether the entry at one place comes before that at another. */
  function isBefore(one: number, other: number): boolean {
    const [a, b] = [heap[one], heap[other]];
    if (!a || !b) return a !== undefined;
    return a.timer.at < b.timer.at || (a.timer.at === b.timer.at && a.order < b.order);
  }

  function swap(one: number, other: number): void {
    const [a, b] = [heap[one], heap[other]];
    if (a && b) [heap[one], heap[other]] = [b, a];
  }

  return {
    add(timer: Timer): void {
      added += 1;
      heap.push({ timer, order: added });
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isBefore(at, parent)) return;
        swap(at, parent);
        at = parent;
      }
    },
    first: (): Timer | undefined => heap[0]?.timer,
    removeFirst(): void {
      const end = heap.pop();
      if (!end || heap.length === 0) return;
      heap[0] = end;
      for (let at = 0; ; ) {
        const child = isBefore(2 * at + 2, 2 * at + 1) ? 2 * at + 2 : 2 * at + 1;
        if (child >= heap.length || !isBefore(child, at)) return;
        swap(at, child);
        at = child;
      }
    },
  };
}
