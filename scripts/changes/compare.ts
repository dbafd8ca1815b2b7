import { valueAt } from '../instances/pointer.ts';
import { canonical, isObject } from '../instances/schema.ts';
import type { Breaking, Comparison } from './comparison.ts';
import { completions } from './completions.ts';
import { type Departure, departureOf } from './lifecycle.ts';
import { createLines } from './lines.ts';
import { isNarrower } from './narrower.ts';
import { normalDocument } from './normal-document.ts';
import { type Impact, type ListedChange, listChanges } from './redocly-diff.ts';
import { isWithin, reachIn, type Site, sitesOf } from './sites.ts';
import { createSearch, type FindWitnesses, type Search } from './witness.ts';

/** What shows that a change breaks somebody. */
export type Proof =
  | { kind: 'payload'; site: Site; value: unknown }
  /** What stops working: the line of a request, a header. */
  | { kind: 'line'; line: string }
  | { kind: 'none'; reason: string };

export interface BreakingChange extends Breaking {
  proof: Proof;
  /** Where something goes that was said to go. */
  departure: Departure | undefined;
  operations: string[];
}

export interface OtherChange {
  impact: Exclude<Impact, 'major'>;
  message: string;
  path: string;
  base: ListedChange['base'];
  revision: ListedChange['revision'];
  operations: string[];
}

export interface Changes {
  breaking: BreakingChange[];
  others: OtherChange[];
  /** What the version has to be raised by; none where the contracts say the same in the same words. */
  needed: Impact | 'none';
}

/**
 * What differs between two versions of a contract, and whom it breaks: what `redocly diff` finds in their normal forms,
 * what it misses, and what is shown to break by a value that one allows and the other does not.
 * @param before and @param after OpenAPI 3.1 documents in one piece
 * @param today as `2026-11-22`: what was said to go by then may go
 * @throws Error where Redocly cannot compare them
 */
export async function compareContracts(before: object, after: object, today: string): Promise<Changes> {
  if (canonical(before) === canonical(after)) return { breaking: [], others: [], needed: 'none' };
  const [old, next] = [normalDocument(before), normalDocument(after)];
  const changes = await listChanges(old, next);
  const [oldSites, nextSites] = [sitesOf(old), sitesOf(next)];
  const [inOld, inNext] = [reachIn(old), reachIn(next)];
  const comparison: Comparison = {
    before: old,
    after: next,
    changes,
    sitesOf: ({ base, revision }) => [
      ...oldSites.filter((site) => base && inOld(site, base.pointer)),
      ...nextSites.filter((site) => revision && inNext(site, revision.pointer)),
    ],
  };
  const isProven = createProof(comparison, oldSites, nextSites);
  const told = [
    ...changes.filter((change) => !isProven(change)).flatMap(verdictsOf),
    ...completions.flatMap((find) => find(comparison)),
  ];
  const searches = searchAll(comparison, oldSites, nextSites, createSearch(old, next));
  const all = [...told, ...unexplained(told, searches)];
  const lineOf = createLines(old);
  const breaking = all.map(
    (each): BreakingChange => ({
      ...each,
      proof: proofOf(each, comparison, searches, lineOf),
      departure: departureOf(each, old, today),
      operations: operationsOf(each, comparison),
    }),
  );
  const others = changes.filter(
    (change) =>
      (change.impact !== 'major' || isProven(change)) &&
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

/** Rules that speak of what a schema allows, and of nothing else. */
const ofSchemas = /^(schema-(type|constraint|combinator)-changed|enum-values-(added|removed))$/;

/** Whether a change of a schema is proven to break nobody, wherever it shows. */
function createProof({ before, after, sitesOf: showsAt }: Comparison, oldSites: Site[], nextSites: Site[]) {
  const [old, next] = [oldSites, nextSites].map((sites) => new Map(sites.map((site) => [site.name, site])));
  const sideOf = (document: object, site: Site | undefined) => {
    const schema = site && valueAt(document, site.pointer);
    return typeof schema === 'boolean' || isObject(schema) ? { document, schema } : undefined;
  };
  return (change: ListedChange): boolean => {
    const names = new Map(showsAt(change).map((site) => [site.name, site.direction]));
    return (
      change.verdicts.every(({ ruleId }) => ofSchemas.test(ruleId)) &&
      names.size > 0 &&
      [...names].every(([name, direction]) => {
        const [one, other] = [sideOf(before, old?.get(name)), sideOf(after, next?.get(name))];
        if (!one || !other) return false;
        return direction === 'requests' ? isNarrower(one, other) : isNarrower(other, one);
      })
    );
  };
}

interface Found extends Search {
  site: Site;
}

/** Looks at every place that is in both contracts and at which some change shows. */
function searchAll(
  comparison: Comparison,
  oldSites: Site[],
  nextSites: Site[],
  find: FindWitnesses,
): Found[] {
  const touched = new Set(
    comparison.changes.flatMap((change) => comparison.sitesOf(change)).map(({ name }) => name),
  );
  const next = new Map(nextSites.map((site) => [site.name, site]));
  return oldSites.flatMap((site) => {
    const counterpart = next.get(site.name);
    return counterpart && touched.has(site.name) ? [{ site: counterpart, ...find(site, counterpart) }] : [];
  });
}

/** What a value shows to break and nobody has said. */
function unexplained(told: readonly Breaking[], searches: readonly Found[]): Breaking[] {
  const found = new Map<string, Breaking>();
  for (const { site, witnesses } of searches)
    for (const { refusals } of witnesses) {
      const [first] = refusals;
      const isTold = refusals.some((refusal) => told.some((each) => explains(each, refusal)));
      if (first === undefined || isTold || found.has(first)) continue;
      const keyword = first.slice(first.lastIndexOf('/') + 1);
      const sent = site.direction === 'requests';
      found.set(first, {
        rule: sent ? 'request-narrowed' : 'answer-widened',
        message: sent
          ? `Values that could be sent are refused by ${keyword}.`
          : `Values may come that ${keyword} did not allow.`,
        path: site.path,
        [sent ? 'revision' : 'base']: { pointer: first },
      });
    }
  return [...found.values()];
}

/** Whether what refuses a value is what has changed. */
function explains({ base, revision }: Breaking, refusal: string): boolean {
  return [base, revision].some((place) => {
    if (!place) return false;
    const { pointer } = place;
    if (isWithin(refusal, pointer) || isWithin(pointer, refusal)) return true;
    // A property that is gone is missed, or refused, by the schema around it.
    const [, around, name] = /^(.*)\/properties\/([^/]+)$/.exec(pointer) ?? [];
    return around !== undefined && isWithin(refusal, around) && refusal.endsWith(`/${name}`);
  });
}

function proofOf(
  change: Breaking,
  comparison: Comparison,
  searches: readonly Found[],
  lineOf: ReturnType<typeof createLines>,
): Proof {
  let tried = 0;
  let best: { site: Site; value: unknown; length: number } | undefined;
  const names = new Set(comparison.sitesOf(change).map(({ name }) => name));
  for (const { site, witnesses, tried: here } of searches) {
    if (!names.has(site.name)) continue;
    tried += here;
    for (const { value, refusals } of witnesses) {
      if (!refusals.some((refusal) => explains(change, refusal))) continue;
      // What is refused for this reason alone shows it best.
      const length = refusals.length * 10_000 + JSON.stringify(value).length;
      if (!best || length < best.length) best = { site, value, length };
    }
  }
  if (best) return { kind: 'payload', site: best.site, value: best.value };
  const line = lineOf(change);
  if (typeof line === 'string') return { kind: 'line', line };
  return { kind: 'none', reason: line?.reason ?? reasonOf(change, comparison, tried) };
}

function reasonOf(change: Breaking, { before }: Comparison, tried: number): string {
  if (change.path.includes('/discriminator/mapping/'))
    return 'The values stay as they are; what programs take them for does not.';
  if (/property-removed|property-became-write-only/.test(change.rule) && change.base) {
    const [, around = '', name = ''] = /^(.*)\/properties\/([^/]+)/.exec(change.base.pointer) ?? [];
    const schema = valueAt(before, around);
    const isRequired = isObject(schema) && Array.isArray(schema.required) && schema.required.includes(name);
    if (!isRequired)
      return 'The property was optional: every answer of the new contract fits the old one, but none has it any more.';
  }
  return tried === 0
    ? 'No value travels there in both contracts.'
    : `None of ${tried} values that were tried shows it.`;
}

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
  };
}

/** What was said to go may go with a minor version. */
function neededOf(breaking: readonly BreakingChange[], others: readonly ListedChange[]): Impact {
  if (breaking.some(({ departure }) => departure?.state !== 'due')) return 'major';
  return breaking.length > 0 || others.some(({ impact }) => impact === 'minor') ? 'minor' : 'patch';
}
