/** What became of one request. */
export interface RequestOutcome {
  /** `performance.now()` when it was sent, and when its answer was there. */
  from: number;
  to: number;
  /** 0 where there was no answer. */
  status: number;
}

/** What callers were told, and what they do not know. */
export interface AcknowledgedWrites {
  outcomes: RequestOutcome[];
  /** By the key of its creation: the id that was told. */
  created: Map<string, number>;
  /** By contact: the last name that was acknowledged, and those that may have been written since. */
  names: Map<number, { told: string; perhaps: Set<string> }>;
  /** Every acknowledged write, as its event should tell it. */
  acknowledged: Set<string>;
  /** Answers that said something else than was acknowledged before. */
  stale: number;
}

export const createAcknowledgedWrites = (): AcknowledgedWrites => ({
  outcomes: [],
  created: new Map(),
  names: new Map(),
  acknowledged: new Set(),
  stale: 0,
});

/** A change as callers and events name it. */
export const changeKey = (id: number, lastName: string | null): string => `${id} ${lastName}`;

export interface StoredContact {
  id: number;
  lastName: string | null;
}

/** An event that has arrived. */
export interface ArrivedEvent {
  webhookId: number;
  sequence: number;
  data: { id: number; last_name: string | null };
}

export interface LostWrites {
  acknowledged: number;
  lostWrites: number;
  lostEvents: number;
  /** Sequences of webhooks in which numbers are missing. */
  gaps: number;
  /** Events that have arrived more than once. */
  doubled: number;
  events: number;
  /** Contacts beyond one for each key. */
  surplus: number;
  stale: number;
}

/** Compares what was told with what is stored and with what has arrived. */
export function findLostWrites(
  writes: AcknowledgedWrites,
  stored: readonly StoredContact[],
  arrived: readonly ArrivedEvent[],
): LostWrites {
  const rows = new Map(stored.map((row) => [row.id, row]));
  const isThere = (id: number): boolean => {
    const row = rows.get(id);
    const name = writes.names.get(id);
    return (
      row?.lastName != null &&
      name !== undefined &&
      (row.lastName === name.told || name.perhaps.has(row.lastName))
    );
  };
  const heard = new Set(arrived.map(({ data }) => changeKey(data.id, data.last_name)));
  const locations = new Set(arrived.map(({ webhookId, sequence }) => `${webhookId} ${sequence}`));
  const byWebhook = Map.groupBy(arrived, ({ webhookId }) => webhookId);
  const gaps = Array.from(byWebhook.values(), (events) => {
    const sequences = new Set(events.map(({ sequence }) => sequence));
    return events.reduce((highest, { sequence }) => Math.max(highest, sequence), 0) - sequences.size;
  });
  return {
    acknowledged: writes.acknowledged.size,
    lostWrites: [...writes.created.values()].filter((id) => !isThere(id)).length,
    lostEvents: [...writes.acknowledged].filter((change) => !heard.has(change)).length,
    gaps: gaps.reduce((sum, each) => sum + each, 0),
    doubled: arrived.length - locations.size,
    events: locations.size,
    surplus: stored.length - new Set(stored.map(({ lastName }) => lastName?.split(' ')[0])).size,
    stale: writes.stale,
  };
}

/** How callers fared while something was broken, and afterwards. */
export interface ExperimentTimeline {
  answered: number;
  /** How many were told that the service cannot be used. */
  unavailable: number;
  /** Calls to a process that was gone. */
  unanswered: number;
  /** Answers that are neither success nor 503; there must be none. */
  wrong: number;
  /** The slowest answer, in seconds. */
  slowest: number;
  /** How long after the fault was over callers still met it, in seconds. */
  recovery: number;
}

/** @param over when the fault was over, as `performance.now()` counts */
export function summarizeTimeline(outcomes: readonly RequestOutcome[], over: number): ExperimentTimeline {
  const count = (fits: (status: number) => boolean) => outcomes.filter(({ status }) => fits(status)).length;
  const failed = outcomes.filter(({ status }) => status === 503 || status === 0);
  return {
    answered: count((status) => status >= 200 && status < 300),
    unavailable: count((status) => status === 503),
    unanswered: count((status) => status === 0),
    wrong: count((status) => status !== 0 && status !== 503 && (status < 200 || status >= 300)),
    slowest: outcomes.reduce((most, { from, to }) => Math.max(most, to - from), 0) / 1_000,
    recovery: failed.reduce((last, { to }) => Math.max(last, to - over), 0) / 1_000,
  };
}
