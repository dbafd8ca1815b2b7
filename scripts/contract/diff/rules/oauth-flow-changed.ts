import { isObject } from '../../../../server/lib/json-object.ts';
import { escapePointer } from '../../../../server/lib/json-text.ts';
import { resolvePointer } from '../../../lib/json-pointer.ts';
import type { BreakingChangeRule, BreakingFinding } from '../comparison.ts';

const rule = 'oauth-flow-changed';

/**
 * Clients rely on flows, on URLs of flows and of OpenID Connect, and on scopes. Redocly does not compare scopes, and
 * requests do not show where clients get their tokens.
 */
export const oauthFlowChanged: BreakingChangeRule = ({ before, after }) => {
  const found: BreakingFinding[] = [];
  for (const [name, scheme] of entriesAt(before, '/components/securitySchemes')) {
    const at = `/components/securitySchemes/${escapePointer(name)}/openIdConnectUrl`;
    const [url, nextUrl] = [before, after].map((document) => resolvePointer(document, at));
    if (url !== nextUrl && url !== undefined && nextUrl !== undefined)
      found.push({
        ...{ rule, path: at, base: { pointer: at, value: url }, revision: { pointer: at, value: nextUrl } },
        message: `openIdConnectUrl was ${String(url)} and is ${String(nextUrl)}.`,
      });
    for (const [flow, old] of entriesAt(scheme, '/flows')) {
      const path = `/components/securitySchemes/${escapePointer(name)}/flows/${flow}`;
      const next = resolvePointer(after, path);
      // Another rule reports the removal of a whole scheme.
      if (resolvePointer(after, `/components/securitySchemes/${escapePointer(name)}`) === undefined) continue;
      const tell = (message: string, way = path) =>
        found.push({ rule, message, path: way, base: { pointer: way } });
      if (!isObject(next)) tell(`Tokens are no longer issued by ${flow}.`);
      else {
        for (const word of ['tokenUrl', 'authorizationUrl', 'refreshUrl'])
          if (isObject(old) && old[word] !== undefined && old[word] !== next[word])
            tell(`${word} was ${String(old[word])} and is ${String(next[word])}.`, `${path}/${word}`);
        for (const [scope] of entriesAt(old, '/scopes'))
          if (!isObject(next.scopes) || !Object.hasOwn(next.scopes, scope))
            tell(
              `No token can have the scope ${scope} any longer.`,
              `${path}/scopes/${escapePointer(scope)}`,
            );
      }
    }
  }
  return found;
};

function entriesAt(node: unknown, pointer: string): [string, unknown][] {
  const found = resolvePointer(node, pointer);
  return isObject(found) ? Object.entries(found) : [];
}
