/**
 * The states of deliveries, by name, with their values in the database. Two values are older than their names. A delivery
 * that a worker has claimed or is sending is `waiting` and has a lease (`leased_by`); if it was canceled meanwhile, it keeps
 * the lease until its request has ended.
 */
export const deliveryStates = {
  waiting: 'waiting',
  paused: 'held',
  delivered: 'delivered',
  exhausted: 'exhausted',
  canceled: 'ended',
} as const;

/** The name of a state. */
export type DeliveryState = keyof typeof deliveryStates;

/** A state in the database. */
export type StoredState = (typeof deliveryStates)[DeliveryState];

interface StateChange {
  /** The cause, as the guide on the delivery of webhooks words it. */
  cause: string;
  /** The states in which a delivery can be. In others, it stays as it is. */
  from: readonly DeliveryState[];
  to: DeliveryState;
}

/**
 * Everything that changes the state of a delivery (D45, D47, D49). `succeed`, `retry` and `exhaust` follow from an attempt.
 */
export const stateChanges = {
  succeed: { cause: 'The receiver returned 2xx', from: ['waiting'], to: 'delivered' },
  retry: { cause: 'An attempt failed, and another one follows', from: ['waiting'], to: 'waiting' },
  exhaust: { cause: 'The last attempt failed', from: ['waiting'], to: 'exhausted' },
  pause: { cause: 'The webhook was disabled', from: ['waiting'], to: 'paused' },
  resume: { cause: 'The webhook was enabled', from: ['paused'], to: 'waiting' },
  expire: { cause: 'The webhook was enabled after 30 days or more', from: ['paused'], to: 'exhausted' },
  cancel: {
    cause: 'The webhook was deleted, or its entity or action changed',
    from: ['waiting', 'paused', 'exhausted'],
    to: 'canceled',
  },
  erase: {
    cause: 'Its data was erased while a worker had claimed it',
    from: ['waiting', 'canceled'],
    to: 'canceled',
  },
  replay: {
    cause: 'An operator replayed it',
    from: ['waiting', 'paused', 'delivered', 'exhausted', 'canceled'],
    to: 'waiting',
  },
} as const satisfies Record<string, StateChange>;

/** A cause of a change of the state of a delivery. */
export type DeliveryChange = keyof typeof stateChanges;

/** Returns the states in the database in which a change finds a delivery. */
export const statesBefore = (change: DeliveryChange): StoredState[] =>
  stateChanges[change].from.map((name) => deliveryStates[name]);

/** Returns the state in the database after a change. */
export const stateAfter = (change: DeliveryChange): StoredState => deliveryStates[stateChanges[change].to];

/** The names of all states. */
export const stateNames = Object.keys(deliveryStates) as DeliveryState[];

/** Returns the name of a state in the database. @throws Error for an unknown one */
export function stateNameOf(stored: StoredState): DeliveryState {
  const name = stateNames.find((each) => deliveryStates[each] === stored);
  if (name === undefined) throw new Error(`A delivery has the unknown state ${stored}.`);
  return name;
}
