import { isObject, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { resolvePointer } from '../../lib/json-pointer.ts';
import type { ContractRule } from './comparison.ts';

/**
 * Clients rely on flows, on the URLs of flows and of OpenID Connect, and on scopes. Redocly does not compare scopes, and
 * requests do not show where clients get their tokens.
 */
export const oauthFlowChanged: ContractRule = ({ before, after }) =>
  Object.entries(objectOf(resolvePointer(before, schemes))).flatMap(([name, scheme]) => {
    const at = `${schemes}/${escapePointer(name)}`;
    const next = resolvePointer(after, at);
    // Another rule reports the removal of a whole scheme.
    if (next === undefined) return [];
    return lostParts(scheme, next).map(([way, message]) => ({
      message,
      path: at + way,
      base: { pointer: at + way },
    }));
  });

const schemes = '/components/securitySchemes';

/** Returns the parts that a scheme, or a part of it, lost, or that changed: their pointers, and messages. */
function lostParts(old: unknown, next: unknown, way = ''): [pointer: string, message: string][] {
  return Object.entries(objectOf(old)).flatMap(([word, was]): [string, string][] => {
    const is = objectOf(next)[word];
    const at = `${way}/${escapePointer(word)}`;
    if (way === '/flows' && is === undefined) return [[at, `Tokens are no longer issued by ${word}.`]];
    if (way.endsWith('/scopes'))
      return is === undefined ? [[at, `No token can have the scope ${word} any longer.`]] : [];
    if (isObject(was)) return lostParts(was, is, at);
    return /(token|authorization|refresh|openIdConnect)Url$/i.test(word) && was !== is
      ? [[at, `${word} was ${String(was)} and is ${String(is)}.`]]
      : [];
  });
}
