/** The limits of a fair queue. */
export interface FairQueueOptions {
  /** Maximum number of tasks at once. */
  max: number;
  /** Maximum number of tasks of one key at once. */
  maxPerKey: number;
  /** Maximum number of waiting tasks of one key. */
  maxWaitingPerKey?: number;
  /** Maximum wait, in milliseconds (default: no limit). */
  waitMs?: number;
  /** Maximum number of tasks that start in one turn of the event loop while there are several keys (default: no limit). */
  maxStartsPerTurn?: number;
  /** Runs a function after the current turn of the event loop. */
  afterTurn?: (work: () => void) => unknown;
}

/** A task that waits or runs. */
interface Task {
  key: string;
  state: 'waiting' | 'running' | 'ended';
  start: (end: () => void) => void;
  refuse: () => void;
  timer?: NodeJS.Timeout;
}

/** A queue that is fair by key. */
export interface FairQueue {
  /**
   * Adds a task.
   * @param key whose share the task takes, such as a company
   * @param start called at once or later, when the task may begin. It gets the function that ends the task
   * @param refuse called at once or later, if too many tasks wait, or the task has waited too long
   * @returns the same function. It removes a task that still waits. Further calls change nothing
   */
  enter: (key: string, start: (end: () => void) => void, refuse: () => void) => () => void;
  /** Returns the number of waiting tasks. */
  waiting: () => number;
}

/**
 * Creates a queue in which keys take turns: while several keys have waiting tasks, each starts as many as any other. Tasks of
 * one key start in the order in which they were added.
 */
export function createFairQueue({
  max,
  maxPerKey,
  maxWaitingPerKey = Number.POSITIVE_INFINITY,
  waitMs,
  maxStartsPerTurn = Number.POSITIVE_INFINITY,
  afterTurn = setImmediate,
}: FairQueueOptions): FairQueue {
  const running = new Map<string, number>();
  /** The waiting tasks by key. Among keys that wait, the one that started a task last comes last. */
  const lines = new Map<string, Set<Task>>();
  /** The key of the task that started last. */
  let last: string | undefined;
  let allRunning = 0;
  let allWaiting = 0;
  let startsInTurn = 0;
  let isTurnCounted = false;

  const isAlone = (key: string): boolean =>
    running.size === Number(running.has(key)) && lines.size === Number(lines.has(key));

  const mayStart = (key: string): boolean =>
    allRunning < max &&
    (startsInTurn < maxStartsPerTurn || isAlone(key)) &&
    (running.get(key) ?? 0) < maxPerKey;

  function countTurn(): void {
    startsInTurn += 1;
    if (isTurnCounted || maxStartsPerTurn === Number.POSITIVE_INFINITY) return;
    isTurnCounted = true;
    afterTurn(() => {
      isTurnCounted = false;
      startsInTurn = 0;
      startWaiting();
    });
  }

  function begin(task: Task): void {
    task.state = 'running';
    last = task.key;
    allRunning += 1;
    running.set(task.key, (running.get(task.key) ?? 0) + 1);
    countTurn();
    task.start(() => end(task));
  }

  function removeWaiting(task: Task): void {
    clearTimeout(task.timer);
    const line = lines.get(task.key);
    line?.delete(task);
    if (line?.size === 0) lines.delete(task.key);
    allWaiting -= 1;
  }

  /** Returns the key whose task is next: the first one that may start, unless it started the last task and others wait. */
  function nextKey(): string | undefined {
    let found: string | undefined;
    for (const key of lines.keys()) {
      if (!mayStart(key)) continue;
      if (key !== last) return key;
      found = key;
    }
    return found;
  }

  /** Starts waiting tasks, each key in turn, as far as the limits allow. */
  function startWaiting(): void {
    while (allRunning < max && (startsInTurn < maxStartsPerTurn || lines.size === 1)) {
      const key = nextKey();
      const line = key === undefined ? undefined : lines.get(key);
      const [task] = line ?? [];
      if (key === undefined || !line || !task) return;
      removeWaiting(task);
      // The key goes to the end, so that the others are next.
      if (lines.delete(key)) lines.set(key, line);
      begin(task);
    }
  }

  function end(task: Task): void {
    if (task.state === 'waiting') removeWaiting(task);
    else if (task.state === 'running') {
      allRunning -= 1;
      const left = (running.get(task.key) ?? 1) - 1;
      if (left > 0) running.set(task.key, left);
      else running.delete(task.key);
    }
    task.state = 'ended';
    if (allWaiting > 0) startWaiting();
  }

  return {
    waiting: () => allWaiting,
    enter(key, start, refuse) {
      const task: Task = { key, state: 'waiting', start, refuse };
      const line = lines.get(key);
      if (!line && mayStart(key)) begin(task);
      else if (line && line.size >= maxWaitingPerKey) {
        task.state = 'ended';
        refuse();
      } else {
        allWaiting += 1;
        if (waitMs !== undefined)
          task.timer = setTimeout(() => {
            removeWaiting(task);
            task.state = 'ended';
            refuse();
          }, waitMs);
        if (line) line.add(task);
        else lines.set(key, new Set([task]));
      }
      return () => end(task);
    },
  };
}

/**
 * Runs work when a fair queue allows it.
 * @param createError returns the error for work that has waited too long
 * @throws the error of the work, or that of `createError`
 */
export async function runInTurn<T>(
  queue: FairQueue,
  key: string,
  work: () => Promise<T>,
  createError: () => Error,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = queue.enter(
    key,
    () => resolve(),
    () => reject(createError()),
  );
  try {
    await promise;
    return await work();
  } finally {
    end();
  }
}
