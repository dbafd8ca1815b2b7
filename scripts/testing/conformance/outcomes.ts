/** Numbers of valid requests of an operation. */
export interface OutcomeCounts {
  sent: number;
  accepted: number;
  /** The statuses of the others, with the beginning of one body. */
  rejections: Rejection[];
}

export interface Rejection {
  status: number;
  count: number;
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
  const known = counts.rejections.find(({ status }) => status === rejection.status);
  if (known) known.count += 1;
  else counts.rejections.push({ ...rejection, count: 1 });
}
