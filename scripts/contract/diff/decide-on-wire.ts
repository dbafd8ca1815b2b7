import { isObject } from '../../../server/lib/json-object.ts';
import { dereference, pointerTokens, resolvePointer } from '../../lib/json-pointer.ts';
import type { BreakingFinding, Comparison } from './comparison.ts';
import { plainMediaType } from './normalize-document.ts';
import type { RequestTrials, TriedRequest } from './request-trials.ts';

/** The result of the requests that were tried: one that shows the change, or that none of them does. */
export type WireDecision = { shown: TriedRequest } | 'refuted';

/**
 * Rules about requests that are breaking only if a request shows it. Other rules concern what no request shows: responses,
 * values of schemas (for which counterexamples are searched), and how generated clients and services read a document.
 */
const decidable =
  /^(path|operation|parameter|request-body|media-type)-removed$|^parameter-(became-required|serialization-changed)$|^security-(requirement|scheme)-changed$/;

/** Other rules about requests. No request refutes them, because services that implement the base rely on the document. */
const showable = /^(default-changed|property-of-parameter-removed|request-body-became-required)$/;

/** The path of a change of a parameter's own schema. */
const isOfParameter = /\/parameters\/\d+\/schema$/;

/** Whether the type of a parameter changed: lists of several texts are found among whole requests only. */
const isTypeOfParameter = ({ rule, path }: BreakingFinding): boolean =>
  rule === 'schema-type-changed' && isOfParameter.test(path);

/** The operations and the part of their requests that a change concerns. */
interface ConcernedRequests {
  operations: readonly string[];
  /** Matches the names of parts: `query/page`, `body`, `credentials`, `route`. */
  part: RegExp;
  /** Whether every request has the part: its route and its credentials. */
  isInAll: boolean;
}

/** Maximum number of operations whose requests may show a change of a shared schema. */
const maxShowing = 4;

/** Decides about changes of requests by what both versions do with requests of the base. */
export interface WireDecisions {
  /** Tries requests that use what a change concerns. Undefined if none was tried, or the change is not about requests. */
  decide(change: BreakingFinding): Promise<WireDecision | undefined>;
  /**
   * Tries requests of the operations whose parameters or bodies changed, and returns a finding for each part that no
   * reported change explains, with the request that shows it.
   */
  findUnreported(
    reported: readonly BreakingFinding[],
  ): Promise<{ change: BreakingFinding; decision: WireDecision }[]>;
}

export function createWireDecisions(comparison: Comparison, trials: RequestTrials): WireDecisions {
  const decide: WireDecisions['decide'] = async (change) => {
    if (/^(security-scheme|oauth-flow)-changed$/.test(change.rule) && !isSchemeUsed(change, comparison))
      return 'refuted';
    // No request of ours has reserved characters that are not encoded.
    const isReserved = change.property === 'allowReserved' && change.base?.value === true;
    const isDefault = change.rule === 'default-changed' && isOfParameter.test(change.path);
    const isDecidable = (decidable.test(change.rule) && !isReserved) || isDefault;
    // A part can have several changes, so a rejected body says nothing about a certain schema in it.
    const concerned =
      isDecidable || showable.test(change.rule) || isTypeOfParameter(change)
        ? concernedBy(change, comparison, trials)
        : undefined;
    if (!concerned) return undefined;
    const { operations, part, isInAll } = concerned;
    let isEachTried = operations.length > 0;
    for (const name of isDecidable ? operations : operations.slice(0, maxShowing)) {
      const tried = await (isInAll ? trials.tryLeast(name) : trials.tryOperation(name));
      const uses = tried.filter((each) => isInAll || usesPart(each, part, change));
      // Requests with certificates are not tried.
      const alternatives = trials.operations.get(name)?.operation.securitySchemes.length ?? 0;
      isEachTried &&= uses.length >= (isInAll ? Math.max(1, alternatives) : 1);
      const shown = shortest(
        tried.filter(
          ({ lost, revision }) =>
            lost.some((each) => part.test(each)) &&
            (change.rule !== 'default-changed' || revision.isAccepted),
        ),
      );
      if (shown) return { shown };
    }
    return isDecidable && isEachTried ? 'refuted' : undefined;
  };
  const findUnreported: WireDecisions['findUnreported'] = async (reported) => {
    const explained = reported.flatMap((change) => concernedBy(change, comparison, trials) ?? []);
    const changed = new Map<string, string>();
    for (const change of comparison.changes) {
      const [pointer] = /^\/paths\/[^/]+\/[^/]+(?=\/(parameters|requestBody))/.exec(change.path) ?? [];
      if (pointer === undefined || change.path.includes('/callbacks/')) continue;
      const { base, revision } = change;
      const about = { rule: '', message: '', path: pointer, base, revision };
      for (const name of concernedBy(about, comparison, trials)?.operations ?? []) changed.set(name, pointer);
    }
    const found = new Map<string, { change: BreakingFinding; decision: WireDecision }>();
    for (const [name, path] of changed) {
      const isExplained = (lost: string) =>
        explained.some(({ operations, part }) => operations.includes(name) && part.test(lost));
      const tried = await trials.tryOperation(name);
      const shown = shortest(tried.filter(({ lost }) => lost.length > 0 && !lost.some(isExplained)));
      if (shown) found.set(name, { change: unreportedChange(path, shown), decision: { shown } });
    }
    return [...found.values()];
  };
  return { decide, findUnreported };
}

/** Whether a requirement of either version names a security scheme, with its scopes: `"bearer":[]`. */
function isSchemeUsed({ path }: BreakingFinding, { before, after }: Comparison): boolean {
  const [, , name = ''] = pointerTokens(path);
  return [before, after].some((document) => JSON.stringify(document).includes(`${JSON.stringify(name)}:[`));
}

const unreportedChange = (path: string, { lost, revision }: TriedRequest): BreakingFinding => ({
  rule: 'request-narrowed',
  message: revision.isAccepted
    ? `Requests that were accepted are read differently: ${lost.join(' and ')}.`
    : `Requests that were accepted are rejected: ${revision.reason}.`,
  path,
  revision: { pointer: path },
});

const routeOrCredentials = /^(route|credentials)$/;

function concernedBy(
  { path, base, revision }: BreakingFinding,
  { before, after, locationsOf }: Comparison,
  trials: RequestTrials,
): ConcernedRequests | undefined {
  const [where, template = '', method, kind, index] = pointerTokens(path);
  const known = [...trials.operations.keys()];
  if (where === 'components' && template === 'securitySchemes') {
    const using = known.filter((name) =>
      trials.operations.get(name)?.operation.security.some((each) => method !== undefined && method in each),
    );
    return { operations: using, part: routeOrCredentials, isInAll: true };
  }
  if (where !== 'paths') {
    const sites = locationsOf({ base, revision }).filter(({ direction }) => direction === 'requests');
    const operations = [...new Set(sites.map(({ operation }) => operation))].filter((name) =>
      known.includes(name),
    );
    return operations.length > 0 ? { operations, part: /^body$|\//, isInAll: false } : undefined;
  }
  // If a path was renamed, the path of the change has the new name.
  const renamed = typeof base?.value === 'string' && base.value.startsWith('/') ? base.value : template;
  const anonymous = renamed.replace(/\{[^}]+\}/g, '{}');
  const operations = known.filter(
    (name) =>
      name.slice(name.indexOf(' ') + 1) === anonymous &&
      (method === undefined || name.startsWith(`${method.toUpperCase()} `)),
  );
  if (kind === undefined || kind === 'security')
    return { operations, part: routeOrCredentials, isInAll: true };
  if (kind === 'requestBody') return { operations, part: /^body$/, isInAll: false };
  if (kind !== 'parameters') return undefined;
  const document = base && !revision ? before : after;
  const node = dereference(document, resolvePointer(document, path.split('/').slice(0, 6).join('/')));
  const part = index === undefined || !isObject(node) ? /\// : partOfParameter(node);
  return { operations, part, isInAll: false };
}

/** Path parameters can have other names in the revision. */
function partOfParameter({ in: location, name }: Record<string, unknown>): RegExp {
  if (location === 'path') return /^path\//;
  const called = location === 'header' ? String(name).toLowerCase() : String(name);
  return new RegExp(`^${String(location)}/${called.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

/** Whether a request has the part, and the media type if the change is about one. */
function usesPart(
  { base, wire }: TriedRequest,
  part: RegExp,
  { rule, path, base: was }: BreakingFinding,
): boolean {
  if (rule === 'parameter-became-required') return true;
  if (![...base.read.keys()].some((each) => part.test(each))) return false;
  if (rule !== 'media-type-removed' || !path.includes('/content/')) return true;
  // If the key was changed, the path has the new one.
  const mediaType = typeof was?.value === 'string' ? was.value : pointerTokens(path).at(-1);
  return plainMediaType(String(wire.headers['Content-Type'])) === plainMediaType(String(mediaType));
}

/** Returns the clearest request: rejected by the revision, for few reasons, and short. */
function shortest(tried: readonly TriedRequest[]): TriedRequest | undefined {
  const length = ({ wire, lost, revision }: TriedRequest) =>
    (lost.length + (revision.isAccepted ? 100 : 0)) * 10_000 + JSON.stringify(wire).length;
  return tried.toSorted((one, other) => length(one) - length(other))[0];
}
