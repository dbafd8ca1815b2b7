import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { CheckOutcome, Finding } from '../../../../scripts/contract/check/check.ts';
import { upsertComment } from '../../../../scripts/contract/check/pr-comment.ts';
import { commentMarker, formatMarkdown } from '../../../../scripts/contract/check/reports/markdown.ts';
import { formatTextReport } from '../../../../scripts/contract/check/reports/text.ts';
import { createSourceMap } from '../../../../scripts/contract/load/source-map.ts';
import { startListening } from '../../../support/start-listening.ts';

const finding: Finding = {
  rule: 'rule',
  severity: 'error',
  message: 'it <b>broke</b>, @everyone: 100%\nand `more`',
  fix: 'fix | it',
  file: 'a, b:c.yaml',
  line: 3,
  column: 5,
  details: ['counterexample: "```"'],
};
const outcome = (some: Partial<CheckOutcome>): CheckOutcome => ({
  check: 'changes',
  state: 'failed',
  findings: [],
  summary: 'all',
  seconds: 1,
  ...some,
});

test('shortens a report that is too long for a GitHub comment, and says so', () => {
  const many = Array.from({ length: 40 }, () => ({ ...finding, message: 'x'.repeat(3_000) }));
  const text = formatMarkdown([outcome({ findings: many })]);
  expect(text.startsWith(commentMarker)).toBe(true);
  expect(text.length).toBeLessThan(65_536);
  expect(text).toContain('the report is too long for GitHub');
});

test('the headline of a report names checks that did not run', () => {
  expect(
    formatMarkdown([outcome({ state: 'passed' }), outcome({ check: 'coverage', state: 'not run' })]),
  ).toContain('## Contract check: passed, without coverage');
});

interface Call {
  method: string | undefined;
  url: string | undefined;
  body: unknown;
}

/** Starts a fake GitHub API that lists the given comments and returns the given status for writes. */
async function startGitHub(comments: object[], status = 200) {
  const calls: Call[] = [];
  const server = createServer(async (req: IncomingMessage, res) => {
    const isRead = req.method === 'GET';
    calls.push({ method: req.method, url: req.url, body: isRead ? undefined : await json(req) });
    const page = Number(/&page=(\d+)/.exec(req.url ?? '')?.[1]);
    res.writeHead(isRead ? 200 : status, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify(isRead ? comments.slice((page - 1) * 100, page * 100) : {}));
  });
  const api = await startListening(server);
  return {
    calls,
    leave: (body: string) =>
      upsertComment({ api, repository: 'o/r', number: 7, token: 't' }, commentMarker, body),
  };
}

const strangers = Array.from({ length: 100 }, (_, id) => ({
  id,
  body: `${commentMarker} quoted`,
  user: { type: 'User' },
}));

test('creates a comment if the bot has none, and updates it otherwise', async () => {
  const first = await startGitHub(strangers);
  expect(await first.leave('one')).toBe('made');
  expect(first.calls.at(-1)).toEqual({
    method: 'POST',
    url: '/repos/o/r/issues/7/comments',
    body: { body: 'one' },
  });
  const second = await startGitHub([
    ...strangers,
    { id: 4711, body: `${commentMarker}\nold`, user: { type: 'Bot' } },
  ]);
  expect(await second.leave('two')).toBe('updated');
  expect(second.calls.at(-1)).toEqual({
    method: 'PATCH',
    url: '/repos/o/r/issues/comments/4711',
    body: { body: 'two' },
  });
});

test('throws an error with the status of a GitHub error response', async () => {
  const { leave } = await startGitHub([], 403);
  await expect(leave('x')).rejects.toThrow('GitHub returned 403 to POST issues/7/comments');
});

test.each([
  ['/info/version', 'openapi/openapi.yaml', 'version:'],
  [
    '/paths/~1api~1v1~1contacts/post/requestBody/content/application~1json/schema/properties/first_name/maxLength',
    'openapi/contacts.yaml',
    'maxLength: 255',
  ],
  ['/paths/~1api~1v1~1contacts/get/parameters/1/name', 'openapi/common.yaml', 'name: page'],
  ['/components/schemas/EmailAddress/maxLength', 'openapi/contacts.yaml', 'maxLength: 254'],
  ['/paths/~1api~1v1~1contacts/get/no/such/place', 'openapi/contacts.yaml', 'get:'],
])('finds the file and line of %s, or of its deepest part that exists', async (path, file, begins) => {
  const location = await createSourceMap('openapi/openapi.yaml').locate(path);
  expect(location.file).toBe(file);
  expect(readFileSync(file, 'utf8').split('\n')[location.line - 1]?.trim().startsWith(begins)).toBe(true);
});

test('reports breaking changes first, and truncates counterexamples', () => {
  const stale: Finding = { rule: 'stale', severity: 'error', message: 'It is stale.', fix: 'Generate it.' };
  const undecided: Finding = { ...finding, rule: 'pattern', severity: 'warning', undecided: true };
  const long: Finding = { ...finding, details: [`counterexample: ${'x'.repeat(500)}`] };
  const outcomes = [
    outcome({ check: 'generated', findings: [stale] }),
    outcome({ findings: [undecided, long, { ...finding, severity: 'note', rule: 'removed in time' }] }),
  ];
  const text = formatTextReport(outcomes);
  expect(text.indexOf('changes/rule')).toBeLessThan(text.indexOf('generated/stale'));
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(130);
  const headings = formatMarkdown(outcomes).match(/^### .*$/gm);
  expect(headings).toEqual([
    '### Breaking changes',
    '### Undecided changes',
    '### Other findings',
    '### Checks',
  ]);
});
