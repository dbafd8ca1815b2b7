import { deliveryStates, stateChanges } from '../../server/storage/delivery-states.ts';

const isKnown = Object.values(stateChanges)
  .flatMap(({ from, to }) => from.map((before) => [deliveryStates[before], deliveryStates[to]]))
  .map(([before, after]) => `(old.state = '${before}' and new.state = '${after}')`)
  .join(' or ');

/**
 * SQL after which every change of a delivery's state fails, unless `stateChanges` contains it. On SQLite it applies to one
 * connection.
 */
export const assertStateChanges = {
  sqlite: `create temp trigger known_state_changes before update of state on main.deliveries
    when old.state <> new.state and not (${isKnown})
    begin select raise(abort, 'unknown change of the state of a delivery'); end`,
  postgres: `create function unknown_state_change() returns trigger language plpgsql as
      $$ begin raise 'unknown change of the state of a delivery: % to %', old.state, new.state; end $$;
    create trigger known_state_changes before update of state on deliveries for each row
      when (old.state <> new.state and not (${isKnown})) execute function unknown_state_change()`,
};
