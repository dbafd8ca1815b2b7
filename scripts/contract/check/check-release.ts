import { pointerTokens } from '../../lib/json-pointer.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { BreakingChange, ContractDiff, OtherChange } from '../diff/contract-diff.ts';
import type { Impact } from '../diff/redocly-diff.ts';
import { errorFinding, type Finding } from './check.ts';

type Named = Pick<BreakingChange, 'path' | 'operations' | 'base' | 'revision' | 'parameter'>;

interface Changes extends Pick<ContractDiff, 'needed'> {
  breaking: readonly Named[];
  others: readonly (Named & Pick<OtherChange, 'impact'>)[];
}

// Maximum number of names in a finding.
const maxNamed = 8;

/**
 * Checks that the changelog has a dated entry for this version, and that the entry lists breaking changes and
 * additions.
 * @param changelog the text of the changelog; undefined if there is no changelog
 */
export function checkChangelog(
  { breaking, others, needed }: Changes,
  version: string,
  changelog: string | undefined,
): Finding[] {
  if (needed === 'none') return [];
  if (changelog === undefined)
    return [
      errorFinding(
        'changelog-missing',
        'The changelog does not exist.',
        `Create one, with a heading for ${version}.`,
      ),
    ];
  const entry = entryOf(changelog, version);
  const heading = `## YYYY-MM-DD · ${version}`;
  const about = `The entry for ${version}`;
  if (!entry)
    return [
      errorFinding(
        'changelog-without-entry',
        `The changelog has no entry for ${version}.`,
        `Start one with: ${heading}`,
      ),
    ];
  const { line } = entry;
  const findings = /\b\d{4}-\d{2}-\d{2}\b/.test(entry.heading)
    ? []
    : [
        errorFinding('changelog-without-date', `${about} has no date.`, `Write its heading as: ${heading}`, {
          line,
        }),
      ];
  const unnamed = [...breaking, ...others.filter(({ impact }) => impact === 'minor')].filter(
    (change) => !namesOf(change).some((name) => isIn(entry.text, name)),
  );
  const missing = [...new Set(unnamed.map((change) => namesOf(change)[0] ?? change.path))];
  if (missing.length > 0) {
    const more = missing.length > maxNamed ? `, and ${missing.length - maxNamed} more` : '';
    const message = `${about} does not name ${missing.slice(0, maxNamed).join(', ')}${more}.`;
    const fix = 'Describe the changes for API users, with these names.';
    findings.push(errorFinding('changelog-silent', message, fix, { line }));
  }
  return findings;
}

function entryOf(
  changelog: string,
  version: string,
): { heading: string; text: string; line: number } | undefined {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line.startsWith('## ') && line.split(/[^\w.]+/).includes(version));
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  const end = length < 0 ? lines.length : start + 1 + length;
  return { heading: lines[start] ?? '', text: lines.slice(start, end).join('\n'), line: start + 1 };
}

/** Removes the names of path parameters, because paths that differ only in these names are equal. */
const general = (text: string): string => text.replaceAll(/\{[^}]*\}/g, '{}');

const isIn = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w-])${general(name).replaceAll(/[^\w\s]/g, '\\$&')}(?![\\w-])`, 'i').test(general(text));

/** Keywords of OpenAPI and JSON Schema, which are not names in the contract. */
const words = new Set(
  [
    'paths webhooks components schemas parameters responses headers content schema properties requestBody requestBodies',
    'items prefixItems allOf anyOf oneOf not enum required type format default security servers examples info tags callbacks',
    'additionalProperties patternProperties propertyNames contains get put post delete patch head options trace',
    'application/json readOnly writeOnly deprecated x-sunset x-deprecated-since links encoding discriminator mapping',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Returns the names that can identify a change, the most specific first: a parameter, a property, a shared schema, the
 * operations.
 */
function namesOf({ path, base, revision, operations, parameter }: Named): string[] {
  const pointers = [path, base?.pointer ?? '', revision?.pointer ?? ''].map((pointer) =>
    pointerTokens(pointer),
  );
  const own = [base?.value, revision?.value].flatMap((value) =>
    typeof value === 'object' && value !== null && 'name' in value ? [String(value.name)] : [],
  );
  const isName = (step: string) => !words.has(step) && !/^\d+$/.test(step);
  const narrowest = pointers.flatMap((steps) => steps.findLast(isName) ?? []);
  const shared = pointers.flatMap((steps) =>
    steps[0] === 'components' && steps[2] !== undefined ? [steps[2]] : [],
  );
  return [
    ...new Set([
      ...(parameter === undefined ? [] : [parameter]),
      ...own,
      ...narrowest,
      ...shared,
      ...operations,
    ]),
  ];
}

/** Returns `info.version`, or an empty string. */
export const versionOf = ({ info }: OpenApiDocument): string => String(info?.version ?? '');

const numbers = /^(\d+)\.(\d+)\.(\d+)$/;

/**
 * Checks that the version was increased as the changes require.
 * @param needed the required version bump
 * @param versions `info.version` before and after
 * @returns a finding; undefined if the version is correct
 */
export function checkVersion(
  needed: Impact | 'none',
  { before, after }: { before: string; after: string },
): Finding | undefined {
  const [old, next] = [before, after].map((version) => numbers.exec(version)?.slice(1).map(Number));
  const unreadable = (is: string, version: string, fix: string) =>
    errorFinding(
      'version-unreadable',
      `info.version ${is} ${JSON.stringify(version)}, which is not a version such as 1.2.3.`,
      fix,
    );
  if (!next) return unreadable('is', after, 'Write three numbers.');
  if (!old) return unreadable('was', before, 'Compare with a contract that has one.');
  if (needed === 'none')
    return isBelow(next, old)
      ? errorFinding('version-fell', `info.version decreased from ${before} to ${after}.`, `Write ${before}.`)
      : undefined;
  const least = raised(old, needed);
  return isBelow(next, least)
    ? errorFinding(
        'version-too-low',
        `info.version is ${after}; the changes since ${before} require ${least.join('.')}.`,
        `Set version: ${least.join('.')}`,
      )
    : undefined;
}

/** Returns the lowest version with the required bump; undefined if the old version does not look like 1.2.3. */
export function minimumVersion(needed: Impact | 'none', before: string): string | undefined {
  const old = numbers.exec(before)?.slice(1).map(Number);
  return old && (needed === 'none' ? old : raised(old, needed)).join('.');
}

function raised([major = 0, minor = 0, patch = 0]: number[], by: Impact): number[] {
  if (by === 'major') return [major + 1, 0, 0];
  return by === 'minor' ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

function isBelow(one: readonly number[], other: readonly number[]): boolean {
  const location = one.findIndex((number, index) => number !== other[index]);
  return location >= 0 && (one[location] ?? 0) < (other[location] ?? 0);
}
