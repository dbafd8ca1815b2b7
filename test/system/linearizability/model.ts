/*
 * A sequential model of creates with an idempotency key, updates with If-Match, and unique values. `isLinearizable`
 * checks whether concurrent responses are consistent with it.
 */

export type HistoryCall =
  | { kind: 'create'; key: string; value: string }
  /** `read` is the name that the client has read together with the ETag of the update. */
  | { kind: 'update'; contact: number; read: string; name: string; value: string | undefined }
  | { kind: 'read'; contact: number };

/** A call with its start and end in milliseconds, and its response. */
export interface HistoryEntry {
  call: HistoryCall;
  from: number;
  to: number;
  /** The status code, followed by the created ID or the name that was read. */
  response: string;
}

interface State {
  /** The name of each contact. Every update changes it, so it stands for the ETag. */
  names: Record<number, string>;
  /** The ID of the contact that has each unique value. */
  holders: Record<string, number>;
  keys: Record<string, { value: string; id: number }>;
}

/**
 * Returns the state after a call. Any unused ID is accepted for a created contact.
 * @returns undefined if the response is wrong in this state
 */
function after(state: State, { call, response }: HistoryEntry): State | undefined {
  const [status = '', told = ''] = response.split(' ');
  const expecting = (expected: string, next: State = state) => (response === expected ? next : undefined);
  if (call.kind === 'read') return expecting(`200 ${state.names[call.contact]}`);
  if (call.kind === 'create') {
    const known = state.keys[call.key];
    if (known) return expecting(known.value === call.value ? `201 ${known.id}` : '422');
    if (call.value in state.holders) return expecting('409');
    const id = Number(told);
    if (status !== '201' || id in state.names) return undefined;
    return {
      names: { ...state.names, [id]: '' },
      holders: { ...state.holders, [call.value]: id },
      keys: { ...state.keys, [call.key]: { value: call.value, id } },
    };
  }
  if (state.names[call.contact] !== call.read) return expecting('412');
  const holder = call.value === undefined ? undefined : state.holders[call.value];
  if (holder !== undefined && holder !== call.contact) return expecting('409');
  const others = Object.entries(state.holders).filter(([, each]) => each !== call.contact);
  return expecting('200', {
    ...state,
    names: { ...state.names, [call.contact]: call.name },
    holders: {
      ...Object.fromEntries(others),
      ...(call.value === undefined ? {} : { [call.value]: call.contact }),
    },
  });
}

/**
 * Searches for an order of the calls in which every response matches the model. A call that ended before another call
 * started must come before that call (Wing and Gong, 1993).
 * @param names the initial names of the contacts
 */
export function isLinearizable(history: readonly HistoryEntry[], names: Record<number, string>): boolean {
  const seen = new Set<string>();
  const search = (left: readonly HistoryEntry[], state: State): boolean => {
    if (left.length === 0) return true;
    const location = JSON.stringify([left.map((each) => history.indexOf(each)), state]);
    if (seen.has(location)) return false;
    seen.add(location);
    const firstAnswer = Math.min(...left.map(({ to }) => to));
    return left
      .filter(({ from }) => from <= firstAnswer)
      .some((each) => {
        const next = after(state, each);
        return (
          next !== undefined &&
          search(
            left.filter((other) => other !== each),
            next,
          )
        );
      });
  };
  return search(history, { names, holders: {}, keys: {} });
}
