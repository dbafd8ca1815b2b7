/** The outcome of one request. */
export interface RequestOutcome {
  /** Start and end, as values of `performance.now()`. */
  from: number;
  to: number;
  /** Status code; 0 if there was no response. */
  status: number;
}

/** The outcomes of all requests, and the writes that the service acknowledged. */
export interface AcknowledgedWrites {
  outcomes: RequestOutcome[];
  /** IDs of created contacts, by idempotency key. */
  created: Map<string, number>;
  /** By contact ID: the most recently acknowledged last name, and last names that may have been written since. */
  names: Map<number, { acknowledgedName: string; possibleNames: Set<string> }>;
  /** The `changeKey` of every acknowledged write. An event must report each of these changes. */
  acknowledged: Set<string>;
  /** Number of reads that contradicted an acknowledged write. */
  stale: number;
}

export const createAcknowledgedWrites = (): AcknowledgedWrites => ({
  outcomes: [],
  created: new Map(),
  names: new Map(),
  acknowledged: new Set(),
  stale: 0,
});

/** Formats a change so that writes and events can be compared. */
export const changeKey = (id: number, lastName: string | null): string => `${id} ${lastName}`;

export interface StoredContact {
  id: number;
  lastName: string | null;
}

/** An event that a receiver has received. */
export interface ArrivedEvent {
  webhookId: number;
  sequence: number;
  data: { id: number; last_name: string | null };
}

export interface LostWrites {
  acknowledged: number;
  lostWrites: number;
  lostEvents: number;
  /** Number of missing sequence numbers, over all webhooks. */
  gaps: number;
  /** Number of duplicate events. */
  duplicates: number;
  events: number;
  /** Number of contacts beyond one per idempotency key. */
  surplus: number;
  stale: number;
}

/** Compares acknowledged writes with stored data and received events. */
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
      (row.lastName === name.acknowledgedName || name.possibleNames.has(row.lastName))
    );
  };
  const reportedChanges = new Set(arrived.map(({ data }) => changeKey(data.id, data.last_name)));
  const eventKeys = new Set(arrived.map(({ webhookId, sequence }) => `${webhookId} ${sequence}`));
  const byWebhook = Map.groupBy(arrived, ({ webhookId }) => webhookId);
  const gaps = Array.from(byWebhook.values(), (events) => {
    const sequences = new Set(events.map(({ sequence }) => sequence));
    return events.reduce((highest, { sequence }) => Math.max(highest, sequence), 0) - sequences.size;
  });
  return {
    acknowledged: writes.acknowledged.size,
    lostWrites: [...writes.created.values()].filter((id) => !isThere(id)).length,
    lostEvents: [...writes.acknowledged].filter((change) => !reportedChanges.has(change)).length,
    gaps: gaps.reduce((sum, each) => sum + each, 0),
    duplicates: arrived.length - eventKeys.size,
    events: eventKeys.size,
    surplus: stored.length - new Set(stored.map(({ lastName }) => lastName?.split(' ')[0])).size,
    stale: writes.stale,
  };
}

/** Summary of the responses that clients got during and after the fault. */
export interface ExperimentTimeline {
  answered: number;
  /** Number of 503 responses. */
  unavailable: number;
  /** Requests without a response. */
  unanswered: number;
  /** Responses that are neither successful nor 503; must be 0. */
  wrong: number;
  /** Longest response time in seconds. */
  slowest: number;
  /** Time from the end of the fault to the last 503 or missing response, in seconds. */
  recovery: number;
}

/** Summarizes the outcomes of requests. @param over the end of the fault, as a value of `performance.now()` */
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
