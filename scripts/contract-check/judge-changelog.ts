import type { Changes } from '../changes/compare.ts';
import { stepsOf } from '../instances/pointer.ts';
import type { Finding } from './check.ts';

type Named = Pick<Changes['breaking'][number], 'path' | 'operations' | 'message' | 'base' | 'revision'>;

// More names than these in one finding are read by nobody.
const mostNamed = 8;

/**
 * Whether integrators are told: the changelog has an entry of the version, with its date, that names what breaks and what
 * is new.
 * @param changelog its text; undefined where there is none
 */
export function judgeChangelog(
  { breaking, others, needed }: Changes,
  version: string,
  changelog: string | undefined,
): Finding[] {
  if (needed === 'none') return [];
  if (changelog === undefined)
    return [
      finding(
        'changelog-missing',
        'There is no CHANGELOG.md beside the contract.',
        `Write one, with a heading for ${version}.`,
      ),
    ];
  const entry = entryOf(changelog, version);
  const heading = `## DD/MM/YYYY · ${version}`;
  if (!entry)
    return [
      finding(
        'changelog-without-entry',
        `The changelog has no entry of ${version}.`,
        `Begin one with: ${heading}`,
      ),
    ];
  const findings: Finding[] = [];
  if (!/\b\d{2}\/\d{2}\/\d{4}\b/.test(entry.heading))
    findings.push({
      ...finding(
        'changelog-without-date',
        `The entry of ${version} has no date.`,
        `Write its heading as: ${heading}`,
      ),
      line: entry.line,
    });
  const unnamed = [...breaking, ...others.filter(({ impact }) => impact === 'minor')].filter(
    (change) => !namesOf(change).some((name) => isIn(entry.text, name)),
  );
  const missing = [...new Set(unnamed.map((change) => namesOf(change)[0] ?? change.path))];
  if (missing.length > 0)
    findings.push({
      ...finding(
        'changelog-silent',
        `The entry of ${version} does not name ${missing.slice(0, mostNamed).join(', ')}${missing.length > mostNamed ? `, and ${missing.length - mostNamed} more` : ''}.`,
        'Say what has changed for whoever uses it, with these names.',
      ),
      line: entry.line,
    });
  return findings;
}

const finding = (rule: string, message: string, mend: string): Finding => ({
  rule,
  severity: 'error',
  message,
  mend,
});

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

const isIn = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w-])${name.replaceAll(/[^\w\s]/g, '\\$&')}(?![\\w-])`, 'i').test(text);

/** Words of OpenAPI and JSON Schema, which name nothing of the contract. */
const words = new Set([
  ...[
    'paths',
    'webhooks',
    'components',
    'schemas',
    'parameters',
    'responses',
    'headers',
    'content',
    'schema',
    'properties',
  ],
  ...[
    'requestBody',
    'items',
    'allOf',
    'anyOf',
    'oneOf',
    'enum',
    'required',
    'type',
    'security',
    'servers',
    'examples',
  ],
  ...[
    'get',
    'put',
    'post',
    'delete',
    'patch',
    'head',
    'options',
    'trace',
    'application/json',
    'info',
    'tags',
    'callbacks',
  ],
]);

/** What a change can be called, the narrowest name first: of a property, a parameter, a schema, a path. */
function namesOf({ path, base, revision, operations }: Named): string[] {
  const steps = [path, revision?.pointer ?? '', base?.pointer ?? ''].flatMap((pointer) =>
    stepsOf(pointer).reverse(),
  );
  const own = [base?.value, revision?.value].flatMap((value) =>
    typeof value === 'object' && value !== null && 'name' in value ? [String(value.name)] : [],
  );
  const named = steps.filter((step) => !words.has(step) && !/^\d+$/.test(step));
  return [...new Set([...own, ...named, ...operations])];
}
