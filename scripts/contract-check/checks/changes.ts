import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { escapePointer } from '../../../server/text.ts';
import { type BreakingChange, type Changes, compareContracts } from '../../changes/compare.ts';
import type { Proof } from '../../changes/proof.ts';
import { bundleContract } from '../../generate/bundle.ts';
import { type Check, type Finding, NotRun } from '../check.ts';
import { judgeChangelog } from '../judge-changelog.ts';
import { judgeVersion } from '../judge-version.ts';
import type { Sources } from '../sources.ts';

/** What the contract says otherwise than before, whom that breaks, and whether they are told. */
export const changes: Check = {
  name: 'changes',
  asks: 'Does a change break somebody, and do version and changelog say so?',
  forAny: true,
  async run({ api, base, sources, document, today }) {
    if (!base) throw new NotRun('there is nothing to compare with: give --base a revision or a file');
    const old = await base();
    const [before, after] = [await bundleContract(old.api), await document()];
    const found = await compareContracts(before, after, today);
    const versions = { before: versionOf(before), after: versionOf(after) };
    const where = await sources();
    const page = join(dirname(api), 'CHANGELOG.md');
    const changelog = await readFile(page, 'utf8').catch(() => undefined);
    const isTold = judgeVersion(found.needed, versions) === undefined;
    const breaking = await Promise.all(found.breaking.map((each) => findingOf(each, where, isTold)));
    const version = judgeVersion(found.needed, versions);
    return {
      findings: [
        ...together(breaking),
        ...(version ? [{ ...version, ...(await where.locate('/info/version')) }] : []),
        ...judgeChangelog(found, versions.after, changelog).map((finding) => ({
          ...finding,
          file: relative('.', page),
          line: finding.line ?? 1,
        })),
      ],
      summary: summaryOf(found, old.name),
    };
  },
};

const versionOf = ({ info }: { info?: unknown }): string =>
  typeof info === 'object' && info !== null && 'version' in info ? String(info.version) : '';

async function findingOf(change: BreakingChange, { locate }: Sources, isTold: boolean): Promise<Finding> {
  const { departure, rule, message, path, property, operations, proof } = change;
  const who =
    operations.length === 0
      ? ''
      : ` (${operations.slice(0, 4).join(', ')}${operations.length > 4 ? `, and ${operations.length - 4} more` : ''})`;
  // Of a key that has changed the place is that of what it is the key of.
  const inside = property === undefined || property === 'key' ? '' : `/${escapePointer(property)}`;
  const place = await locate(path + inside);
  const details = proofLines(proof);
  if (departure?.state === 'due')
    return {
      rule,
      severity: 'note',
      message: `${message}${who} It was to go by ${departure.sunset}.`,
      mend: 'Nothing: it was said in time.',
      ...place,
      details,
    };
  if (departure?.state === 'early')
    return {
      rule,
      severity: 'error',
      message: `${message}${who} It was promised until ${departure.sunset}.`,
      mend: `Leave it until ${departure.sunset}.`,
      ...place,
      details,
    };
  return {
    rule,
    severity: isTold ? 'warning' : 'error',
    message: `${message}${who}`,
    mend: isTold
      ? 'It is told by the version. Whoever relies on it has to change.'
      : 'Keep what was there beside what is new, mark it deprecated with x-deprecated-since and x-sunset, and take it away after that; or raise the first number of info.version.',
    ...place,
    details,
  };
}

/** A change of something shared shows at many places, and is one. */
function together(findings: readonly Finding[]): Finding[] {
  const known = new Map<string, Finding>();
  for (const finding of findings) {
    const name = [finding.rule, finding.message.replace(/ \(.*\)$/, ''), finding.file, finding.line].join(
      ' ',
    );
    if (!known.has(name)) known.set(name, finding);
  }
  return [...known.values()];
}

function proofLines(proof: Proof): string[] {
  if (proof.kind === 'line') return [`stops working: ${proof.line}`];
  if (proof.kind === 'none') return [`no witness: ${proof.reason}`];
  const sent = proof.site.direction === 'requests';
  return [
    `witness: ${JSON.stringify(proof.value)}`,
    sent
      ? `  as ${proof.site.name} it was taken, and is refused`
      : `  as ${proof.site.name} it could not come, and can`,
  ];
}

function summaryOf({ breaking, others, needed }: Changes, name: string): string {
  if (needed === 'none') return `nothing has changed since ${name}`;
  const count = (impact: string) => others.filter((each) => each.impact === impact).length;
  return `${breaking.length} breaking, ${count('minor')} that add, ${count('patch')} others since ${name}: at least a ${needed} version`;
}
