import { meantIn, valueAt } from '../../testing/schema-values/json-pointer.ts';
import { canonical, isObject } from '../../testing/schema-values/schema.ts';
import { createLines } from './affected-line.ts';
import { unexplained } from './attribute-failures.ts';
import type { Breaking, Comparison } from './comparison.ts';
import { createProof } from './compatibility-proof.ts';
import { createSearch } from './counterexample.ts';
import { type Proof, proofOf } from './evidence.ts';
import { normalDocument } from './normalize-document.ts';
import { type Departure, departureOf } from './planned-removals.ts';
import { type Impact, type ListedChange, listChanges } from './redocly-diff.ts';
import { completions } from './rules.ts';
import { reachIn, type Site, sitesOf } from './schema-locations.ts';
import { searchSites } from './search-locations.ts';

export interface BreakingChange extends Breaking {
  proof: Proof;
  /** Where something goes that was said to go. */
  departure: Departure | undefined;
  operations: string[];
  /** The parameter that it is about. */
  parameter: string | undefined;
}

export interface OtherChange {
  impact: Exclude<Impact, 'major'>;
  message: string;
  path: string;
  base: ListedChange['base'];
  revision: ListedChange['revision'];
  operations: string[];
  parameter: string | undefined;
}

export interface Changes {
  breaking: BreakingChange[];
  others: OtherChange[];
  /** What the version has to be raised by; none where the contracts say the same in the same words. */
  needed: Impact | 'none';
}

/** What there is to tell of the same contract in the same words. */
export const unchanged: Changes = { breaking: [], others: [], needed: 'none' };

/**
 * What differs between two versions of a contract, and whom it breaks: what `redocly diff` finds in their normal forms,
 * what it misses, and what is shown to break by a value that one allows and the other does not.
 * @param before and @param after OpenAPI 3.1 documents in one piece
 * @param today as `2026-11-22`: what was said to go by then may go
 * @throws Error where Redocly cannot compare them
 */
export async function compareContracts(before: object, after: object, today: string): Promise<Changes> {
  if (canonical(before) === canonical(after)) return unchanged;
  const [old, next] = [normalDocument(before), normalDocument(after)];
  const changes = await listChanges(old, next);
  const [oldSites, nextSites] = [sitesOf(old), sitesOf(next)];
  const [inOld, inNext] = [reachIn(old), reachIn(next)];
  const [atOld, atNext] = [inOld.index(oldSites), inNext.index(nextSites)];
  const known = new Map<string, Site[]>();
  const findSites = ({ base, revision }: Pick<Breaking, 'base' | 'revision'>): Site[] => [
    ...(base ? atOld(base.pointer) : []),
    ...(revision ? atNext(revision.pointer) : []),
  ];
  const comparison: Comparison = {
    before: old,
    after: next,
    changes,
    sitesOf: (change) => {
      const key = JSON.stringify([change.base?.pointer, change.revision?.pointer]);
      const sites = known.get(key) ?? findSites(change);
      known.set(key, sites);
      return sites;
    },
  };
  const { isHarmless, isHarmlessAt } = createProof(comparison, oldSites, nextSites);
  const told = [
    ...changes.filter((change) => !isHarmless(change)).flatMap(verdictsOf),
    ...completions.flatMap((find) => find(comparison)),
  ];
  const searches = searchSites(
    { sites: oldSites, reach: inOld },
    { sites: nextSites, reach: inNext },
    { find: createSearch(old, next), isHarmlessAt },
  );
  const all = [...told, ...unexplained(told, searches)];
  const lineOf = createLines(old, next);
  const breaking = all.map(
    (each): BreakingChange => ({
      ...each,
      proof: proofOf(each, comparison, searches, lineOf),
      departure: departureOf(each, comparison, today),
      operations: operationsOf(each, comparison),
      parameter: parameterOf(each, comparison),
    }),
  );
  const others = changes.filter(
    (change) =>
      (change.impact !== 'major' || isHarmless(change)) &&
      !told.some(
        (each) => each.base === change.base && each.revision === change.revision && each.path === change.path,
      ),
  );
  return {
    breaking,
    others: others.map((change) => otherOf(change, comparison)),
    needed: neededOf(breaking, others),
  };
}

const verdictsOf = ({ impact, verdicts, path, property, base, revision }: ListedChange): Breaking[] =>
  impact === 'major'
    ? verdicts.map(({ ruleId, message }) => ({
        rule: ruleId,
        message: message.replaceAll('`', ''),
        path,
        property,
        base,
        revision,
      }))
    : [];

function operationsOf(
  change: Pick<Breaking, 'path' | 'base' | 'revision'>,
  comparison: Comparison,
): string[] {
  const [, where, name, method] = change.path.split('/');
  const names = comparison.sitesOf(change).map(({ operation }) => operation);
  if (where === 'paths' && name && method)
    names.push(`${method.toUpperCase()} ${name.replaceAll('~1', '/').replace(/\{[^}]+\}/g, '{}')}`);
  return [...new Set(names)];
}

function otherOf(change: ListedChange, comparison: Comparison): OtherChange {
  const { path, base, revision, kind, property, typeName, impact } = change;
  const what = property === undefined ? typeName : `${property} of ${typeName}`;
  return {
    impact: impact === 'minor' ? 'minor' : 'patch',
    message: `${what} ${kind}`,
    path,
    base,
    revision,
    operations: operationsOf(change, comparison),
    parameter: parameterOf(change, comparison),
  };
}

/** The name of the parameter that a change is about: where it is only removed, its way is that of the old contract. */
function parameterOf(
  { path, base, revision }: Pick<Breaking, 'path' | 'base' | 'revision'>,
  { before, after }: Comparison,
): string | undefined {
  const [way] = /^.*?\/parameters\/\d+/.exec(path) ?? [];
  const document = base && !revision ? before : after;
  const node = way === undefined ? undefined : meantIn(document, valueAt(document, way));
  return isObject(node) && typeof node.name === 'string' ? node.name : undefined;
}

/** What was said to go may go with a minor version, at its time; before that no version makes it good. */
function neededOf(breaking: readonly BreakingChange[], others: readonly ListedChange[]): Impact {
  const isPromised = ({ rule, departure }: BreakingChange) =>
    departure !== undefined || rule === 'sunset-moved-earlier';
  if (breaking.some((change) => !isPromised(change))) return 'major';
  return breaking.length > 0 || others.some(({ impact }) => impact === 'minor') ? 'minor' : 'patch';
}
