import type { RequestParameter, TestedOperation } from '../requests/operations.ts';
import { isSerializable } from '../requests/parameters.ts';
import { toParameterText } from '../requests/serialize.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { someValuesOf } from '../schema-values/values.ts';

/** Returns the header that says for which tenant a request to an operation is, by its name. */
export const tenantHeaderOf = ({ parameters }: TestedOperation): RequestParameter | undefined =>
  parameters.find(
    ({ in: location, name, required }) =>
      location === 'header' && required && /tenant|organi[sz]ation|workspace/i.test(name),
  );

/**
 * Chooses a tenant for the requests of a run: what one of them creates is unknown to another one.
 * @param given the headers that the user has set, which are left out
 * @returns the values by the names of the headers
 */
export function tenantOf(
  requests: SchemaContext,
  operations: readonly TestedOperation[],
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = Object.keys(given).map((name) => name.toLowerCase());
  const chosen: Record<string, string> = {};
  for (const header of operations.flatMap((each) => tenantHeaderOf(each) ?? [])) {
    const name = header.name.toLowerCase();
    if (known.includes(name)) continue;
    known.push(name);
    const [value] = headerValues(requests, header, ['tenant-1', 'a']);
    if (value !== undefined) chosen[header.name] = value;
  }
  return chosen;
}

/** Returns valid values of a header: the proposed ones, its examples, and a few others. */
export const headerValues = (
  requests: SchemaContext,
  header: RequestParameter,
  proposed: readonly string[],
): string[] =>
  [...header.examples, ...proposed, ...someValuesOf(requests, header.schema, 20)]
    .filter((value) => requests.isValid(header.schema, value) && isSerializable(header, value))
    .map(toParameterText);
