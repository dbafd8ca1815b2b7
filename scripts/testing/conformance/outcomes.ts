/** Numbers of valid requests of an operation. */
export interface OutcomeCounts {
  sent: number;
  accepted: number;
  /** The different responses to the others. Equal ones have the same status, and bodies that differ in IDs only. */
  rejections: Rejection[];
}

export interface Rejection {
  status: number;
  count: number;
  /** The beginning of one body. */
  body: string;
}

/** Counts an accepted or rejected request of an operation. */
export function countOutcome(
  outcomes: Map<string, OutcomeCounts>,
  operation: string,
  rejection: Omit<Rejection, 'count'> | undefined,
): void {
  const counts = outcomes.get(operation) ?? { sent: 0, accepted: 0, rejections: [] };
  outcomes.set(operation, counts);
  counts.sent += 1;
  if (!rejection) {
    counts.accepted += 1;
    return;
  }
  const known = counts.rejections.find(
    ({ status, body }) => status === rejection.status && withoutIds(body) === withoutIds(rejection.body),
  );
  if (known) known.count += 1;
  else if (counts.rejections.length < maxRejections) counts.rejections.push({ ...rejection, count: 1 });
}

/** Maximum number of different rejections that are counted. */
const maxRejections = 5;

/** Returns a text without the parts that differ in each response. */
const withoutIds = (text: string): string => text.replaceAll(/\b[0-9a-f-]{8,}\b|\d+/gi, '');
