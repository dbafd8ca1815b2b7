import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { Impact } from '../diff/redocly-diff.ts';
import { errorFinding, type Finding } from './check.ts';

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
