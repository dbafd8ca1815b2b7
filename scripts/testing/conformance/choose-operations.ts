import { distance } from 'fastest-levenshtein';
import type { TestedOperation } from '../requests/operations.ts';

/** An operation that the options leave out. */
export interface LeftOut {
  operation: string;
  option: '--only' | '--exclude';
}

type NamedOperation = Pick<TestedOperation, 'id' | 'method' | 'path'>;

/** Names of operations, as `--only` and `--exclude` get them. */
export interface Choice {
  /** All operations if empty. */
  only: readonly string[];
  exclude: readonly string[];
}

/**
 * Chooses operations. A name is an operation ID, `METHOD /path`, or `/path` for all methods; `*` stands for any text, and
 * the names of path parameters do not matter.
 * @throws Error that names the nearest operations if a name matches none
 */
export function chooseOperations<Named extends NamedOperation>(
  operations: readonly Named[],
  { only, exclude }: Choice,
): { chosen: Named[]; leftOut: LeftOut[] } {
  const [wanted, unwanted] = [idsOf(operations, '--only', only), idsOf(operations, '--exclude', exclude)];
  const leftOut = operations.flatMap(({ id }): LeftOut[] => {
    if (unwanted.has(id)) return [{ operation: id, option: '--exclude' }];
    return only.length > 0 && !wanted.has(id) ? [{ operation: id, option: '--only' }] : [];
  });
  const isLeftOut = new Set(leftOut.map(({ operation }) => operation));
  return { chosen: operations.filter(({ id }) => !isLeftOut.has(id)), leftOut };
}

/** Returns the IDs of the operations that an option names. @throws Error as `chooseOperations` */
export const idsOf = (
  operations: readonly NamedOperation[],
  option: string,
  names: readonly string[],
): Set<string> => new Set(names.flatMap((name) => matching(operations, option, name)));

function matching(operations: readonly NamedOperation[], option: string, name: string): string[] {
  // The ID of an operation may contain asterisks and spaces.
  if (operations.some(({ id }) => id === name)) return [name];
  const [, method, path] = /^(?:(\S+) +)?(\/.*)$/.exec(name) ?? [];
  const found = operations.filter((operation) =>
    path === undefined
      ? fits(name, operation.id)
      : fits(unnamed(path), unnamed(operation.path)) && fits((method ?? '*').toLowerCase(), operation.method),
  );
  if (found.length > 0) return found.map(({ id }) => id);
  throw new Error(
    `${option} ${name}: the contract has no operation ${name}. ${nearest(operations, name, path !== undefined)}`,
  );
}

/** Maximum number of nearest operations in a message. */
const maxNearest = 3;
/** Maximum number of characters of a name that are compared and printed. */
const maxCompared = 200;

function nearest(operations: readonly NamedOperation[], name: string, isPath: boolean): string {
  const labels = operations.map((operation) => (isPath ? methodAndPath(operation) : operation.id));
  if (labels.length === 0) return 'It has no operations at all.';
  const compared = (text: string) => text.slice(0, maxCompared).toLowerCase();
  const near = labels
    .map((label) => ({ label, far: distance(compared(name), compared(label)) }))
    .sort((one, other) => one.far - other.far)
    .slice(0, maxNearest)
    .map(({ label }) => label);
  return `The nearest ones: ${near.map((label) => label.slice(0, maxCompared)).join(', ')}. Use an operation ID, or 'METHOD /path', in which * stands for any text.`;
}

const methodAndPath = ({ method, path }: NamedOperation): string => `${method.toUpperCase()} ${path}`;

const unnamed = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}');

/** Whether a text matches a pattern in which `*` stands for any text. Each part is searched for once, so it is linear. */
function fits(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
