import {
  assertCompiled,
  type CompiledContract,
  type ContractModule,
} from '../../server/contract/compiled-contract.ts';

/** The types of the options that all middleware and handlers have. */
export const commonOptionTypes = {
  authenticate: ['function'],
  checks: ['object'],
  bodyLimit: ['number'],
  onError: ['function'],
  handlers: ['object'],
  errors: ['object'],
};

/**
 * Checks what the compiler cannot in JavaScript: that the contract is compiled, that every option is known and has a value
 * of its type, and that handlers and checks are those of operations.
 * @param known the types, or values in quotes, of each option
 * @param needsAll whether each operation needs a handler
 * @throws Error that says what to correct
 */
export function assertOptions(
  compiled: ContractModule,
  options: object,
  known: Readonly<Record<string, readonly string[]>>,
  needsAll: boolean,
): asserts compiled is CompiledContract {
  if (typeof Reflect.get(Object(compiled), 'format') !== 'number')
    throw new Error(
      'This is no compiled contract. Pass the export `contract` of generated/contract.js, which parley-contract generate writes.',
    );
  assertCompiled(compiled);
  const others = Object.keys(options).filter((name) => !Object.hasOwn(known, name));
  if (others.length > 0)
    throw new Error(
      `There is no option ${others.join(', ')}. The options are ${Object.keys(known).join(', ')}.`,
    );
  for (const [name, value] of Object.entries(options)) {
    const types = known[name] ?? [];
    const type = value === null ? 'null' : typeof value;
    if (value !== undefined && !types.includes(type) && !types.includes(`'${value}'`))
      throw new Error(`The option ${name} must be ${types.join(' or ')}.`);
  }
  const ids = compiled.operations.map(({ id }) => id);
  for (const name of ['handlers', 'checks']) {
    const unknown = Object.keys(Object(Reflect.get(options, name))).filter((id) => !ids.includes(id));
    if (unknown.length > 0)
      throw new Error(
        `${name} names ${unknown.join(', ')}, but the contract has no operation with this ID. Correct the ID.`,
      );
  }
  const handlers: object = Object(Reflect.get(options, 'handlers'));
  const missing = needsAll ? ids.filter((id) => !Object.hasOwn(handlers, id)) : [];
  if (missing.length > 0)
    throw new Error(
      `${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} no handler. Add it, or set unhandled: 'next' to serve it by a route.`,
    );
}
