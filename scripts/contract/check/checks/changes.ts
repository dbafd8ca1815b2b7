import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { errorMessage } from '../../../../server/lib/error-message.ts';
import { escapePointer } from '../../../../server/lib/json-text.ts';
import { ownOf } from '../../../../server/lib/own-property.ts';
import { counted } from '../../../lib/counted.ts';
import { once } from '../../../lib/once.ts';
import type { OpenApiDocument } from '../../../lib/openapi-document.ts';
import { printLine } from '../../../lib/terminal.ts';
import type { AffectedUse } from '../../diff/affected-uses.ts';
import { compareContracts } from '../../diff/compare.ts';
import type { BreakingChange, ContractDiff } from '../../diff/contract-diff.ts';
import type { Evidence, SeenRequest } from '../../diff/evidence.ts';
import { loadContract } from '../../load/load-contract.ts';
import type { Contract, SourceLocation } from '../../model/contract.ts';
import type { KnownConsumer } from '../../uses/read-consumers.ts';
import { type CheckContext, type CheckReport, type Finding, SkippedCheck } from '../check.ts';
import { checkChangelog, checkVersion, minimumVersion, versionOf } from '../check-release.ts';
import {
  type ConsumerImpact,
  impactsOf,
  type JudgedConsumer,
  judgeAll,
  mergeImpacts,
} from '../consumer-impact.ts';
import type { CheckPolicy } from '../policy.ts';
import { placesText } from '../reports/report-lines.ts';

// Maximum number of operations that a finding names.
const maxOperations = 4;

/** Reports breaking changes, counts the other changes, and checks the version and the changelog. */
export async function checkChanges({
  base,
  config: { allowOutside },
  contract,
  today,
  policy,
}: CheckContext): Promise<CheckReport> {
  if (!base)
    throw new SkippedCheck(
      'there is no earlier commit. Set --base to a revision or a file; if the contract is new, use --skip changes',
    );
  const old = await base();
  const { document: after, locate } = await contract();
  const { document: before } = await loadContract(old.api, {
    ...{ allowOutside, project: old.project },
    // A number that the toolchain has added is no promise.
    repeatedIds: 'removed',
    onIgnored: (sentence) =>
      printLine(`The base ${old.name}: ${withoutFolder(sentence, old.project)}`, 'error'),
  }).catch((error: unknown) => {
    throw new Error(`the base ${old.name} cannot be read: ${errorMessage(error)}`);
  });
  const found = await compareContracts(before, after, today);
  const versions = { before: versionOf(before), after: versionOf(after) };
  const version = policy.version && checkVersion(found.needed, versions);
  const isAnnounced = policy.version !== undefined && version === undefined;
  // If the version is too low, the changelog must describe the changes in the entry of the required version, because
  // entries of released versions are not checked again.
  const next = version ? (minimumVersion(found.needed, versions.before) ?? versions.after) : versions.after;
  const consumers = await judgedConsumers(found, policy, { before, after });
  const announcement = policy.version && (isAnnounced ? 'announced' : 'unannounced');
  return {
    findings: [
      ...(await breakingFindings(found.breaking, locate, announcement, consumers)),
      ...(await breakingFindings(found.undecided, locate, 'undecided', consumers)),
      ...unexplainedErrors(consumers),
      ...escapeNotes(found.breaking.length + found.undecided.length > 0 ? consumers : []),
      ...(version ? [{ ...version, ...(await locate('/info/version')) }] : []),
      ...(policy.changelog === undefined ? [] : await changelogFindings(policy.changelog, found, next)),
    ],
    summary: summaryOf(found, old.name),
  };
}

/** Removes the temporary folder of a revision from a sentence about one of its files. */
const withoutFolder = (sentence: string, folder: string | undefined): string =>
  folder === undefined ? sentence : sentence.replace(`${relative('.', folder)}${sep}`, '');

/** Reads the known consumers, and compiles those whose sources are at hand; only if types may have changed. */
async function judgedConsumers(
  { breaking, undecided, needed }: ContractDiff,
  { consumers = [] }: CheckPolicy,
  { before, after }: { before: OpenApiDocument; after: OpenApiDocument },
): Promise<JudgedConsumer[]> {
  const changes = [...breaking, ...undecided];
  const isSame = changes.length === 0 && (needed === 'none' || needed === 'patch');
  if (isSame || consumers.length === 0) return [];
  // The compiler is loaded only if there are consumers.
  const { readConsumers } = await import('../../uses/read-consumers.ts');
  const { generateTypes } = await import('../../generate/types.ts');
  const typesOf = once(async () => ({
    base: await generateTypes(before),
    revision: await generateTypes(after),
  }));
  return judgeAll(changes, await readConsumers(consumers, typesOf));
}

async function changelogFindings(file: string, found: ContractDiff, version: string): Promise<Finding[]> {
  const changelog = await readFile(file, 'utf8').catch(() => undefined);
  return checkChangelog(found, version, changelog).map((finding) => ({
    ...finding,
    file: relative('.', file),
    line: finding.line ?? 1,
  }));
}

/** Whether a version announces a breaking change; undefined if the project has no version policy. */
type Announcement = 'announced' | 'unannounced' | 'undecided' | undefined;

/** The findings of one change, which becomes one finding. */
interface ReportedChange {
  change: BreakingChange;
  location: SourceLocation;
  uses: Map<string, AffectedUse>;
  impacts: ConsumerImpact[];
}

/** Creates one finding per change, even if a change to a shared schema affects many locations. */
async function breakingFindings(
  changes: readonly BreakingChange[],
  locate: Contract['locate'],
  announcement: Announcement,
  consumers: readonly JudgedConsumer[],
): Promise<Finding[]> {
  const known = new Map<string, ReportedChange>();
  for (const change of changes) {
    const { rule, message, path, property, affected } = change;
    // Redocly reports a renamed key as the property `key`, but the path already includes that key.
    const inside = property === undefined || property === 'key' ? '' : `/${escapePointer(property)}`;
    const location = await locate(path + inside);
    const name = [rule, message, location.file, location.line].join(' ');
    const one: ReportedChange = known.get(name) ?? { change, location, uses: new Map(), impacts: [] };
    one.impacts.push(...impactsOf(change, consumers));
    for (const use of affected.uses) one.uses.set(use.location, use);
    // A counterexample is better evidence than a description.
    if (change.proof.kind === 'payload' && one.change.proof.kind !== 'payload') one.change = change;
    known.set(name, one);
  }
  return [...known.values()].map(({ change, location, uses, impacts }) => ({
    rule: change.rule,
    ...sayingOf(change, [...new Set(uses.values().map(({ operation }) => operation))], announcement),
    ...location,
    affected: { ...change.affected, uses: [...uses.values()] },
    ...(announcement === 'undecided' ? { undecided: true } : {}),
    ...(consumers.length > 0 ? { consumers: mergeImpacts(impacts) } : {}),
    details: proofLines(change.proof),
  }));
}

function sayingOf(
  { rule, plannedRemoval, message }: BreakingChange,
  operations: readonly string[],
  announcement: Announcement,
): Pick<Finding, 'severity' | 'message' | 'fix'> {
  const more = operations.length > maxOperations ? `, and ${operations.length - maxOperations} more` : '';
  const operationList =
    operations.length === 0 ? '' : ` (${operations.slice(0, maxOperations).join(', ')}${more})`;
  const told = `${message}${operationList}`;
  const { state, sunset } = plannedRemoval ?? {};
  if (state === 'due')
    return {
      severity: 'note',
      message: `${told} Its sunset was ${sunset}.`,
      fix: 'Nothing to do: it was announced in time.',
    };
  if (state === 'early')
    return {
      severity: 'error',
      message: `${told} Its sunset is ${sunset}.`,
      fix: `Keep it until ${sunset}: a new version does not lift the promise.`,
    };
  if (rule === 'sunset-moved-earlier')
    return { severity: 'error', message: told, fix: 'Keep the date, or choose a later one.' };
  if (announcement === 'undecided')
    return {
      severity: 'warning',
      message: `Undecided: ${told}`,
      fix: 'Check whether clients break. It is neither proven that they do, nor that they do not.',
    };
  if (announcement === 'announced')
    return {
      severity: 'warning',
      message: told,
      fix: 'The version announces it. Affected clients must change.',
    };
  const policy =
    announcement === undefined ? 'set x-contract-check: { version: semver } in redocly.yaml, and ' : '';
  const otherwise = ` Otherwise ${policy}increase the major version in info.version.`;
  return { severity: 'error', message: told, fix: (ownOf(fixes, rule) ?? usualFix) + otherwise };
}

/** How to avoid a breaking change, by rule. */
const fixes: Readonly<Record<string, string>> = {
  'enum-values-added':
    'Clients may reject the new value. To allow new values in the future, mark the enumeration with x-open-enum: true, and return the first new value in a later version.',
  'response-widened': 'Clients may reject the new values. Return them in a new optional property instead.',
  'request-narrowed': 'Keep accepting the old values.',
  'enum-values-removed': 'Keep accepting the old values.',
  'schema-constraint-changed': 'Keep the old limit: clients send or expect values within it.',
  'required-properties-added': 'Keep the properties optional.',
  'required-properties-removed': 'Keep the properties required, and return them.',
};
const usualFix =
  'Keep the old form next to the new one, mark it deprecated with x-deprecated-since and x-sunset, and remove it after that date.';

function proofLines(proof: Evidence): string[] {
  if (proof.kind === 'request') return seenLines(proof.seen);
  if (proof.kind === 'compared') return [`compared: ${proof.sentence}`];
  if (proof.kind === 'none') return [`no counterexample: ${proof.reason}`];
  const sent = proof.location.direction === 'requests';
  const name = proof.location.title ?? proof.location.name;
  return [
    `counterexample: ${JSON.stringify(proof.value)}`,
    sent ? `  as ${name} it was valid, and is rejected now` : `  as ${name} it could not occur, and can now`,
    ...(proof.seen ? seenLines(proof.seen) : []),
  ];
}

const seenLines = ({ curl, base, revision }: SeenRequest): string[] => [
  `tried: ${curl}`,
  `  base: ${base}`,
  `  revision: ${revision}`,
];

function summaryOf({ breaking, undecided, others, needed }: ContractDiff, name: string): string {
  if (needed === 'none') return `nothing has changed since ${name}`;
  const isDue = ({ plannedRemoval }: BreakingChange) => plannedRemoval?.state === 'due';
  const due = breaking.filter(isDue).length;
  const of = (impact: string) => others.filter((each) => each.impact === impact).length;
  return [
    counted(breaking.length - due, 'breaking change'),
    ...(undecided.length > 0 ? [`${undecided.length} undecided`] : []),
    ...(due > 0 ? [counted(due, 'announced removal')] : []),
    counted(of('minor'), 'addition'),
    `${of('patch')} others since ${name}: at least a ${needed} version`,
  ].join(', ');
}

/** Returns a finding for each consumer with errors that no breaking change explains: of an added value, for example. */
const unexplainedErrors = (consumers: readonly JudgedConsumer[]): Finding[] =>
  consumers
    .filter(({ unexplained }) => unexplained.length > 0)
    .map(({ manifest: { consumer }, unexplained, file }) => ({
      rule: 'consumer-does-not-compile',
      severity: 'warning',
      message: `${consumer} does not compile with the new types at ${placesText(unexplained)}. It uses none of the breaking changes there.`,
      fix: 'Tell the consumer. An added value or property is no breaking change, but exhaustive code rejects it.',
      ...{ file, line: 1 },
    }));

/** Returns a note for each manifest with values that leave the analysis. */
const escapeNotes = (consumers: readonly KnownConsumer[]): Finding[] =>
  consumers.flatMap(({ manifest: { consumer, escapes }, file }): Finding[] => {
    const [first] = escapes;
    if (!first) return [];
    const places = counted(escapes.length, 'place');
    return [
      {
        rule: 'manifest-escapes',
        severity: 'note',
        message: `In ${consumer}, values leave the analysis at ${places}. Changes of their schemas count as breaking it.`,
        fix: `The first one is ${first.at}: ${first.reason}.`,
        ...{ file, line: 1 },
      },
    ];
  });
