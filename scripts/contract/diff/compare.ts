import { isObject } from '../../../server/lib/json-object.ts';
import { dereference, resolvePointer } from '../../lib/json-pointer.ts';
import { oncePer } from '../../lib/once.ts';
import { canonicalJson } from '../../testing/schema-values/schema.ts';
import { type Contract, createContract } from '../model/contract.ts';
import { type AffectedUse, createAffectedUses } from './affected-uses.ts';
import { findUndecidedLocations, findUnreportedBreaks } from './attribute-failures.ts';
import { type BreakingFinding, type Comparison, isDelivery } from './comparison.ts';
import { createCompatibilityProof } from './compatibility-proof.ts';
import { type BreakingChange, type ContractDiff, type OtherChange, unchanged } from './contract-diff.ts';
import { createCounterexampleSearch } from './counterexample.ts';
import { createWireDecisions } from './decide-on-wire.ts';
import { type Evidence, findEvidence } from './evidence.ts';
import { normalizeDocument } from './normalize-document.ts';
import { plannedRemovalOf } from './planned-removals.ts';
import { type Impact, type ListedChange, listChanges } from './redocly-diff.ts';
import { createRequestTrials } from './request-trials.ts';
import { findBreakingChanges } from './rules.ts';
import { createReachIndex, locationsByName, schemaLocationsOf } from './schema-locations.ts';
import { searchLocations, sendCounterexamples } from './search-locations.ts';

/**
 * Compares two versions of a contract. Breaking changes come from `redocly diff` of the normalized documents, from this
 * project's own rules, and from counterexamples that neither explains.
 * @param before the old contract, a bundled OpenAPI 3.1 document
 * @param after the new contract
 * @param today the current date, such as `2026-11-22`; removals whose sunset date has been reached are allowed
 * @throws Error if Redocly cannot compare the documents
 */
export async function compareContracts(before: object, after: object, today: string): Promise<ContractDiff> {
  if (canonicalJson(before) === canonicalJson(after)) return unchanged;
  const [oldContract, nextContract] = [normalized(before), normalized(after)];
  const [old, next] = [{ ...oldContract.document }, { ...nextContract.document }];
  // Redocly runs in a process of its own, concurrently with the search for counterexamples.
  const listing = listChanges(old, next);
  const [oldSites, nextSites] = [schemaLocationsOf(oldContract), schemaLocationsOf(nextContract)];
  const [oldByName, nextByName] = [locationsByName(oldSites), locationsByName(nextSites)];
  const [inOld, inNext] = [createReachIndex(old), createReachIndex(next)];
  const [atOld, atNext] = [inOld.index(oldSites), inNext.index(nextSites)];
  const locationsOf: Comparison['locationsOf'] = oncePer(
    ({ base, revision }) => [
      ...(base ? atOld(base.pointer) : []),
      ...(revision ? atNext(revision.pointer) : []),
    ],
    ({ base, revision }) => JSON.stringify([base?.pointer, revision?.pointer]),
  );
  const { isCompatible, isCompatibleAt, isCompatibleIfNamed } = createCompatibilityProof(
    { before: old, after: next, locationsOf },
    { before: oldContract, after: nextContract },
    oldByName,
    nextByName,
  );
  const trials = createRequestTrials({ openapi: '3.1.1', ...before }, { openapi: '3.1.1', ...after });
  const [changes, searches] = await Promise.all([
    listing,
    sendCounterexamples(
      searchLocations(
        { locations: oldSites, reach: inOld },
        { locations: nextSites, reach: inNext },
        { find: createCounterexampleSearch(oldContract, nextContract, trials.canSend), isCompatibleAt },
      ),
      trials,
    ),
  ]);
  const comparison: Comparison = { before: old, after: next, changes, locationsOf };
  const { decide, findUnreported } = createWireDecisions(comparison, trials);
  const decided = await Promise.all(
    [
      ...changes.filter((change) => !isCompatible(change)).flatMap(verdictsOf),
      ...findBreakingChanges(comparison),
    ].map(async (change) => ({ change, decision: await decide(change) })),
  );
  const decisions = new Map(decided.map(({ change, decision }) => [change, decision]));
  const reported = decided.flatMap(({ change, decision }) => (decision === 'refuted' ? [] : [change]));
  const byValues = [...reported, ...findUnreportedBreaks(reported, searches)];
  const byRequests = await findUnreported(byValues);
  for (const { change, decision } of byRequests) decisions.set(change, decision);
  const decidedChanges = [...byValues, ...byRequests.map(({ change }) => change)];
  const all = [
    ...decidedChanges,
    ...findUndecidedLocations(
      decidedChanges,
      searches.filter(({ before, location }) => !isCompatibleIfNamed(before, location)),
      locationsOf,
    ),
  ];
  const displayName = createDisplayNames(next, old);
  const affectedBy = createAffectedUses(
    comparison,
    { before, after },
    [...oldSites, ...nextSites],
    (name) => {
      const [was, is] = [oldByName.get(name), nextByName.get(name)];
      return was !== undefined && is !== undefined && isCompatibleAt(was, is);
    },
  );
  const operationsOf = (uses: readonly AffectedUse[]) => [
    ...new Set(uses.map(({ operation }) => displayName(operation))),
  ];
  const judged = all.map((each): BreakingChange => {
    const { uses, ...owner } = affectedBy(each);
    const shown = uses.map((use) => ({
      ...use,
      operation: displayName(use.operation),
      location: displayName(use.location),
    }));
    return {
      ...each,
      proof: withDisplayName(findEvidence(each, comparison, searches, decisions.get(each)), displayName),
      plannedRemoval: plannedRemovalOf(each, comparison, today),
      affected: { ...owner, uses: shown },
      operations: operationsOf(uses),
      parameter: parameterOf(each, comparison),
    };
  });
  const isUndecided = ({ proof }: BreakingChange) => proof.kind === 'none' && proof.undecided === true;
  const [undecided, breaking] = [judged.filter(isUndecided), judged.filter((each) => !isUndecided(each))];
  const others = changes
    .filter(
      (change) =>
        !reported.some(
          (each) =>
            each.base === change.base && each.revision === change.revision && each.path === change.path,
        ),
    )
    .map((change) => (addsValues(change) ? { ...change, impact: 'minor' as const } : change));
  return {
    breaking,
    undecided,
    others: others.map((change) =>
      otherOf(change, comparison, operationsOf(affectedBy({ ...change, rule: '' }).uses)),
    ),
    needed: neededOf(breaking, [...others, ...undecided.map(() => ({ impact: 'minor' as const }))]),
  };
}

const normalized = (document: object): Contract =>
  createContract({
    openapi: '3.1.1',
    ...normalizeDocument(createContract({ openapi: '3.1.1', ...document })),
  });

/** Whether a compatible change adds values to an enumeration, which Redocly rates as major in responses. */
const addsValues = ({ verdicts }: ListedChange): boolean =>
  verdicts.some(({ ruleId }) => ruleId === 'enum-values-added');

const withDisplayName = (proof: Evidence, displayName: (text: string) => string): Evidence =>
  proof.kind === 'payload'
    ? { ...proof, location: { ...proof.location, title: displayName(proof.location.name) } }
    : proof;

/**
 * Whether a rule of this project decides instead of Redocly's: Redocly does not know which servers apply to an operation,
 * and that the credentials of webhooks are sent by the service.
 */
const isReplaced = (rule: string, path: string): boolean =>
  rule === 'server-removed' || (rule === 'security-requirement-changed' && isDelivery(path));

const verdictsOf = ({ impact, verdicts, path, property, base, revision }: ListedChange): BreakingFinding[] =>
  impact === 'major'
    ? verdicts
        .filter(({ ruleId }) => !isReplaced(ruleId, path))
        .map(({ ruleId, message }) => ({
          rule: ruleId,
          message: message.replaceAll('`', ''),
          path,
          property,
          base,
          revision,
        }))
    : [];

function otherOf(change: ListedChange, comparison: Comparison, operations: string[]): OtherChange {
  const { path, base, revision, impact } = change;
  return {
    impact: impact === 'minor' ? 'minor' : 'patch',
    path,
    base,
    revision,
    operations,
    parameter: parameterOf(change, comparison),
  };
}

/** Returns the name of the affected parameter. If it was removed, the path refers to the old contract. */
function parameterOf(
  { path, base, revision }: Pick<BreakingFinding, 'path' | 'base' | 'revision'>,
  { before, after }: Comparison,
): string | undefined {
  const [way] = /^.*?\/parameters\/\d+/.exec(path) ?? [];
  const document = base && !revision ? before : after;
  const node = way === undefined ? undefined : dereference(document, resolvePointer(document, way));
  return isObject(node) && typeof node.name === 'string' ? node.name : undefined;
}

/**
 * Returns the required version bump. Announced removals and earlier sunset dates do not require a major version. The
 * `changes` check reports removals before the sunset date and earlier sunset dates as errors for any version.
 */
function neededOf(
  breaking: readonly BreakingChange[],
  others: readonly Pick<ListedChange, 'impact'>[],
): Impact {
  const isPromised = ({ rule, plannedRemoval }: BreakingChange) =>
    plannedRemoval !== undefined || rule === 'sunset-moved-earlier';
  if (breaking.some((change) => !isPromised(change))) return 'major';
  return breaking.length > 0 || others.some(({ impact }) => impact === 'minor') ? 'minor' : 'patch';
}

const anonymous = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '{}');

/**
 * Creates a function that inserts the names of path parameters into a text. The comparison omits these names, so that a
 * path with a renamed parameter counts as the same path. Example: `GET /books/{} path 0` becomes
 * `GET /books/{isbn} path isbn`.
 * @param documents contracts whose paths occur in the texts; the first one with a given path provides the names
 */
function createDisplayNames(...documents: readonly object[]): (text: string) => string {
  const templates = new Map<string, string>();
  for (const document of documents)
    if ('paths' in document && isObject(document.paths))
      for (const path of Object.keys(document.paths))
        if (!templates.has(anonymous(path))) templates.set(anonymous(path), path);
  return (text) =>
    text.replace(/(\/\S*\{\}\S*)( path (\d+))?/g, (all, path: string, _parameter, index?: string) => {
      const template = templates.get(path);
      if (template === undefined) return all;
      const [, name] = [...template.matchAll(/\{([^}]+)\}/g)][Number(index ?? Number.NaN)] ?? [];
      return name === undefined ? template : `${template} path ${name}`;
    });
}
