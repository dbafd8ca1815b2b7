import { ApiError } from '../../../../server/contract/errors.ts';
import { learn, namedResponse, withoutIds } from './named-ids.ts';
import { createRandomInput } from './random-input.ts';
import { type OperatorCommand, randomOperatorCommands } from './random-operator-commands.ts';
import { type RequestOn, randomRequests } from './random-requests.ts';
import type { EngineTarget } from './targets.ts';

/** One call of the comparison. Its result omits everything in which two correct services may differ. */
export type ParityCall = { what: string; on: (side: EngineTarget) => Promise<unknown> };

/**
 * Generates valid and invalid calls that depend on each other. Later calls change, find, list and delete objects that
 * earlier calls created, reuse idempotency keys and unique values, and send outdated ETags.
 */
export function randomCalls(seed: number, count: number): ParityCall[] {
  const input = createRandomInput(seed);
  const calls: [what: string, next: () => ParityCall['on']][] = [
    ...Array.from(randomRequests(input, seed), ([what, next]): (typeof calls)[number] => [
      what,
      () => sending(what, next()),
    ]),
    ...Array.from(randomOperatorCommands(input), ([what, next]): (typeof calls)[number] => [
      what,
      () => running(next()),
    ]),
  ];
  const often = calls.flatMap((call) => Array.from({ length: weightOf(call[0]) }, () => call));
  return Array.from({ length: count }, () => {
    const [what, next] = input.oneOf(often);
    return { what, on: next() };
  });
}

/** Objects are created more often than deleted. There are few fields, so that contacts have equal values. */
const weightOf = (what: string): number =>
  /^(delete|add)/.test(what) ? 1 : /^(create|open|receive)/.test(what) ? 8 : 4;

const sending =
  (operation: string, request: RequestOn): ParityCall['on'] =>
  async (side) => {
    const { method, target, headers, body } = request(side);
    // In lower case, so that they replace those that the client sets.
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    const sent = { method, headers: Object.fromEntries(named), ...(body === undefined ? {} : { body }) };
    const reply = await side.api.send(target, sent);
    learn(side, operation, target, reply);
    return namedResponse(side, operation, reply);
  };

const running =
  ({ made, work }: OperatorCommand): ParityCall['on'] =>
  async (side) => {
    try {
      const result = await side.store.write((db) => work(db, side));
      if (made && hasId(result)) side.ids[made].push(result.id);
      return 'done';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { errorName, message, fields } = error.errorResponse;
      return withoutIds({ errorName, message, fields });
    }
  };

const hasId = (result: unknown): result is { id: number } =>
  typeof result === 'object' && result !== null && 'id' in result;
