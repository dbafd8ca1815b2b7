import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { escapePointer } from '../../../../server/lib/json-text.ts';
import type { BreakingChange, ContractDiff } from '../../diff/compare.ts';
import { compareInThread } from '../../diff/compare-in-thread.ts';
import type { Evidence } from '../../diff/evidence.ts';
import { loadContract } from '../../load/load-contract.ts';
import type { SourceLocation, SourceMap } from '../../load/source-map.ts';
import { type Check, type Finding, SkippedCheck } from '../check.ts';
import { checkChangelog } from '../check-changelog.ts';
import { checkVersion, minimumVersion, versionOf } from '../check-version.ts';

// Maximum number of operations that a finding names.
const maxOperations = 4;

/** Reports breaking changes, counts the other changes, and checks the version and the changelog. */
export const changes: Check = {
  name: 'changes',
  question: 'Are breaking changes announced by version and changelog?',
  forAny: true,
  async run({ api, base, sources, document, today }) {
    if (!base) throw new SkippedCheck('there is nothing to compare with: set --base to a revision or a file');
    const old = await base();
    const before = await loadContract(old.api).catch((error: Error) => {
      throw new Error(`the base ${old.name} cannot be read: ${error.message}`);
    });
    const after = await document();
    const found = await compareInThread({ before, after, today });
    const versions = { before: versionOf(before), after: versionOf(after) };
    const where = await sources();
    const page = join(dirname(api), 'CHANGELOG.md');
    const changelog = await readFile(page, 'utf8').catch(() => undefined);
    const version = checkVersion(found.needed, versions);
    // If the version is too low, the changelog must describe the changes in the entry of the required version, because
    // entries of released versions are not checked again.
    const next = version ? (minimumVersion(found.needed, versions.before) ?? versions.after) : versions.after;
    return {
      findings: [
        ...(await breakingFindings(found.breaking, where, version === undefined)),
        ...(version ? [{ ...version, ...(await where.locate('/info/version')) }] : []),
        ...checkChangelog(found, next, changelog).map((finding) => ({
          ...finding,
          file: relative('.', page),
          line: finding.line ?? 1,
        })),
      ],
      summary: summaryOf(found, old.name),
    };
  },
};

/** Creates one finding per change, although a change of a shared schema affects many locations. */
async function breakingFindings(
  changes: readonly BreakingChange[],
  { locate }: SourceMap,
  isAnnounced: boolean,
): Promise<Finding[]> {
  const known = new Map<
    string,
    { change: BreakingChange; location: SourceLocation; operations: Set<string> }
  >();
  for (const change of changes) {
    const { rule, message, path, property, operations } = change;
    // Redocly reports a renamed key as the property `key`. The path already leads to it.
    const inside = property === undefined || property === 'key' ? '' : `/${escapePointer(property)}`;
    const location = await locate(path + inside);
    const name = [rule, message, location.file, location.line].join(' ');
    const one = known.get(name) ?? { change, location, operations: new Set() };
    for (const each of operations) one.operations.add(each);
    // A counterexample is better evidence than a description.
    if (change.proof.kind === 'payload' && one.change.proof.kind !== 'payload') one.change = change;
    known.set(name, one);
  }
  return [...known.values()].map(({ change, location, operations }) => ({
    rule: change.rule,
    ...sayingOf(change, [...operations], isAnnounced),
    ...location,
    details: proofLines(change.proof),
  }));
}

function sayingOf(
  { rule, plannedRemoval, message }: BreakingChange,
  operations: readonly string[],
  isTold: boolean,
): Pick<Finding, 'severity' | 'message' | 'fix'> {
  const more = operations.length > maxOperations ? `, and ${operations.length - maxOperations} more` : '';
  const operationList =
    operations.length === 0 ? '' : ` (${operations.slice(0, maxOperations).join(', ')}${more})`;
  const fullMessage = `${message}${operationList}`;
  if (plannedRemoval?.state === 'due')
    return {
      severity: 'note',
      message: `${fullMessage} Its sunset was ${plannedRemoval.sunset}.`,
      fix: 'Nothing to do: it was announced in time.',
    };
  if (plannedRemoval?.state === 'early')
    return {
      severity: 'error',
      message: `${fullMessage} Its sunset is ${plannedRemoval.sunset}.`,
      fix: `Keep it until ${plannedRemoval.sunset}: a new version does not lift the promise.`,
    };
  if (rule === 'sunset-moved-earlier')
    return { severity: 'error', message: fullMessage, fix: 'Keep the date, or choose a later one.' };
  return {
    severity: isTold ? 'warning' : 'error',
    message: fullMessage,
    fix: isTold ? 'The version announces it. Affected clients must change.' : fixFor(rule),
  };
}

const orMajor = 'Otherwise increase the major version in info.version.';

/** Returns how to avoid a breaking change. */
function fixFor(rule: string): string {
  if (rule === 'enum-values-added')
    return `Clients may reject the new value. To allow new values in the future, mark the enumeration with x-open-enum: true, and return the first new value in a later version. ${orMajor}`;
  if (rule === 'response-widened')
    return `Clients may reject the new values. Return them in a new optional property instead. ${orMajor}`;
  if (rule === 'request-narrowed' || rule === 'enum-values-removed')
    return `Keep accepting the old values. ${orMajor}`;
  return `Keep the old form next to the new one, mark it deprecated with x-deprecated-since and x-sunset, and remove it after that date. ${orMajor}`;
}

function proofLines(proof: Evidence): string[] {
  if (proof.kind === 'line') return [`stops working: ${proof.line}`];
  if (proof.kind === 'none') return [`no counterexample: ${proof.reason}`];
  const sent = proof.location.direction === 'requests';
  return [
    `counterexample: ${JSON.stringify(proof.value)}`,
    sent
      ? `  as ${proof.location.name} it was valid, and is rejected now`
      : `  as ${proof.location.name} it could not occur, and can now`,
  ];
}

function summaryOf({ breaking, others, needed }: ContractDiff, name: string): string {
  if (needed === 'none') return `nothing has changed since ${name}`;
  const count = (impact: string) => others.filter((each) => each.impact === impact).length;
  return `${breaking.length} breaking ${breaking.length === 1 ? 'change' : 'changes'}, ${count('minor')} additions, ${count('patch')} others since ${name}: at least a ${needed} version`;
}
