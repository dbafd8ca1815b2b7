import type { Operation } from '../../contract/model/operation.ts';
import type { TestedOperation } from '../requests/operations.ts';
import { templateNames } from '../requests/path-template.ts';

/** The loss after an operation: of stored data, the credentials, or the service. Operations are tested in this order. */
export type Destruction = 'data' | 'credentials' | 'service';

const order: readonly Destruction[] = ['data', 'credentials', 'service'];

/** Words of an operation ID or of a path. */
const words: Record<Destruction, RegExp> = {
  data: /^(reset|purge|wipe|truncate|flush|(delete|remove|clear|erase|destroy) all)$/,
  credentials: /^(rotate|revoke|logout|signout|(log|sign) out)$/,
  service: /^(shutdown|shut down|restart|reboot|halt)$/,
};

/** Beginnings of a summary or description. */
const beginnings: Record<Destruction, RegExp> = {
  data: /^(resets?|purges?|wipes?|truncates?|((deletes?|removes?|clears?|erases?) (all|every|everything)))\b/i,
  credentials: /^(rotates?|revokes?|invalidates?|(logs?|signs?) (\w+ )?out)\b/i,
  service:
    /^(shuts? (\w+ ){0,2}down|((re)?starts?|reboots?|halts?|stops?|terminates?) the (service|server|process))\b/i,
};

const credentialNames = /^(keys?|tokens?|sessions?|credentials?)$/;

/**
 * Returns what an operation destroys, by its ID, path, summary and description. A DELETE destroys data if its path does
 * not end with a parameter, and credentials if its path names keys, tokens or sessions.
 * @returns undefined for an operation after which the others can still be tested
 */
export function destructionBy({
  id,
  method,
  path,
  node,
}: Pick<Operation, 'id' | 'method' | 'path' | 'node'>): Destruction | undefined {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.includes('{'));
  const isRead = method === 'get' || method === 'head';
  // A read is destructive only by the end of its path: `GET /logout`.
  const named = isRead
    ? path.endsWith('}')
      ? []
      : phrasesOf(segments.at(-1) ?? '')
    : [id, ...segments].flatMap(phrasesOf);
  const texts = isRead ? [] : [node.summary, node.description].filter((each) => typeof each === 'string');
  // The last one decides, because nothing can be tested after the service has ended.
  const found = order.findLast(
    (each) =>
      named.some((phrase) => words[each].test(phrase)) ||
      texts.some((text) => beginnings[each].test(text.trimStart().slice(0, 200))),
  );
  if (found !== undefined || method !== 'delete') return found;
  if (segments.flatMap(phrasesOf).some((word) => credentialNames.test(word))) return 'credentials';
  return path.endsWith('}') ? undefined : 'data';
}

/** Returns the words of a name, and each two words that follow one another, in lower case. */
function phrasesOf(name: string): string[] {
  const single = name
    .slice(0, 500)
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return single.flatMap((word, index) => [word, `${word} ${single[index + 1] ?? ''}`]);
}

/** Sorts operations: lists first, deletions late, and those that destroy what other tests need at the end. */
export function inOrder(
  operations: readonly TestedOperation[],
  destructions: ReadonlyMap<string, Destruction | undefined>,
): TestedOperation[] {
  const rank = ({ id, method, path }: TestedOperation) =>
    destructions.get(id) !== undefined
      ? 3
      : method === 'delete'
        ? 2
        : method === 'get' && !path.includes('{')
          ? 0
          : 1;
  const depth = ({ path }: TestedOperation) => templateNames(path).length;
  return operations.toSorted((one, other) => {
    const [left, right] = [destructions.get(one.id), destructions.get(other.id)];
    if (left !== undefined && right !== undefined) return order.indexOf(left) - order.indexOf(right);
    // A resource is created before those that it contains.
    return rank(one) - rank(other) || (rank(one) === 1 ? depth(one) - depth(other) : 0);
  });
}
