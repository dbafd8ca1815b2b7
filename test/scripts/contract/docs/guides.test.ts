import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { diagramFigure } from '../../../../scripts/contract/docs/diagram-figure.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { type GuideSample, sampledGuides } from '../../../../scripts/guide-samples/guide-samples.ts';
import { sampleFiles } from '../../../../scripts/guide-samples/sample-files.ts';
import { nativeCompiler } from '../../../../scripts/lib/compile-package.ts';
import { startListening } from '../../../support/start-listening.ts';
import { afterAllTests } from '../../../support/temporary-folder.ts';
import { freePort, inboxIn, readersProject } from './reader-project.ts';

const run = promisify(execFile);
const guides = sampledGuides();
const at = 'http://127.0.0.1:4010';

/** The folder of a project with the client installed, like that of a reader of the guides. */
const project = await readersProject(afterAllTests);

/** URL of a mock that stores nothing, which the guides share. */
const staticMock = await startListening(
  (await createMockServer({ config: contractConfig })).server,
  afterAllTests,
);

async function startMock(stateful: boolean): Promise<string> {
  if (!stateful) return staticMock;
  const mock = await createMockServer({ config: contractConfig, stateful: {} });
  onTestFinished(() => mock.close());
  return startListening(mock.server);
}

const ofLanguage = (samples: GuideSample[], ...languages: string[]) =>
  samples.filter(({ language, role }) => languages.includes(language) && role === '');

/** Expects the output that the guide shows, in which an ellipsis stands for the rest of a line. JSON is compared as JSON. */
function expectOutput({ response, code }: GuideSample, printed: string): void {
  if (!response) return;
  if (response.language === 'json') expect(JSON.parse(printed), code).toEqual(JSON.parse(response.text));
  else {
    const ends = response.text.split('\n').map((line) => line.indexOf('…'));
    const shortened = (line: string, at: number) => {
      const end = ends[at] ?? -1;
      return end < 0 ? line : `${line.slice(0, end)}…`;
    };
    const lines = printed.trim().replaceAll('\r', '').split('\n');
    expect(lines.map(shortened).join('\n'), code).toBe(response.text.trim());
  }
}

test('every guide says its purpose in a first paragraph, and shows code in its first 25 lines', () => {
  for (const { name } of guides) {
    const [, , text = ''] = readFileSync(`openapi/guides/${name}.md`, 'utf8').split(/^---$/m);
    const lines = text.trim().split('\n');
    const [paragraph] = lines.slice(2).join('\n').split('\n\n');
    expect(paragraph, name).toMatch(/^(?!(This|In this) )[A-Z][^.:]{20,}[.:]/);
    expect(lines.slice(0, 25).join('\n'), name).toContain('```');
  }
});

test('the guide on troubleshooting quotes messages of the service, the client and the mock', () => {
  const guide = readFileSync('openapi/guides/troubleshooting.md', 'utf8');
  const messages = Array.from(guide.matchAll(/^\|[^|]*"([^"|]+)"/gm), ([, message = '']) => message);
  expect(messages.length).toBeGreaterThan(10);
  const sources = globSync('{client,server,scripts/lib}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  // Browsers and Node write these.
  const others = ['Failed to fetch', 'fetch failed'];
  const isKnown = (message: string) => [...others, ...sources].some((text) => text.includes(message));
  expect(messages.filter((message) => !isKnown(message))).toEqual([]);
});

test('every excerpt of the inbox is a part of its file', () => {
  const excerpts = guides.flatMap(({ samples }) => samples.filter(({ role }) => role.startsWith('inbox/')));
  expect(excerpts.length).toBeGreaterThan(5);
  for (const { role, code } of excerpts)
    expect(readFileSync(`openapi/guides/${role}`, 'utf8').split(code), `${role}: ${code}`).toHaveLength(2);
});

test('every code sample has a known language and role', () => {
  const known = [
    ...['sh', 'ts', 'tsx', 'text', 'js', 'json', 'yaml', 'sql', 'mermaid', 'sh terminal'],
    ...['ts notes', 'ts styles', 'ts receiver', 'ts vitest'],
    ...['python receiver.py', 'php receiver.php', 'sql citus'],
  ];
  for (const { name, samples } of guides)
    for (const { language, role, code } of samples) {
      // The role of a program in JavaScript, and of an excerpt, is the name of its file.
      const kind = /^inbox\/|\.js$/.test(role) ? language : `${language} ${role}`.trim();
      expect(known, `${name}: ${code}`).toContain(kind);
    }
});

test.each(guides.filter(({ samples }) => ofLanguage(samples, 'sh').length > 0))(
  'the shell samples of the guide $name print the output that it shows',
  async ({ samples, stateful }) => {
    const base = await startMock(stateful);
    const typed = ofLanguage(samples, 'sh');
    const boundary = '─── the next one';
    const script = typed.map(({ code }) => code).join(`\necho '${boundary}'\n`);
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script.replaceAll(at, base)], {
      cwd: project,
    });
    const printed = stdout.split(`${boundary}\n`);
    expect(printed).toHaveLength(typed.length);
    for (const [index, sample] of typed.entries()) expectOutput(sample, printed[index] ?? '');
  },
);

test.each(guides.filter(({ samples }) => ofLanguage(samples, 'ts').length > 0))(
  'the TypeScript samples of the guide $name print the output that it shows',
  async ({ name, samples, stateful }) => {
    const base = await startMock(stateful);
    for (const [index, sample] of ofLanguage(samples, 'ts').entries()) {
      const file = `${name}-${index}.ts`;
      await writeFile(join(project, file), sample.code.replaceAll(at, base));
      const env = { ...process.env, PORT: String(await freePort()) };
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: project, env });
      expect(stderr, sample.code).toBe('');
      expectOutput(sample, stdout);
    }
  },
);

test('the Vitest samples of the guides pass', async () => {
  const found = guides.flatMap(({ samples }) => samples.filter(({ role }) => role === 'vitest'));
  for (const [index, { code }] of found.entries())
    await writeFile(join(project, `sample-${index}.test.ts`), code);
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  const report = join(project, 'report.json');
  await run(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${report}`], { cwd: project });
  const tests = found.flatMap(({ code }) => code.match(/^test\(/gm) ?? []).length;
  expect(tests).toBeGreaterThan(1);
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ success: true, numPassedTests: tests });
});

test('all TypeScript samples compile in strict mode', async () => {
  const sources = sampleFiles(guides);
  for (const [name, text] of Object.entries(sources)) await writeFile(join(project, name), text);
  const options = '--noEmit --allowImportingTsExtensions --strict --skipLibCheck --target es2024'.split(' ');
  const more = '--module nodenext --lib es2024,dom,dom.iterable --types node'.split(' ');
  const given = [nativeCompiler, ...options, ...more, ...Object.keys(sources)];
  const { stdout } = await run(process.execPath, given, { cwd: project }).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  );
  expect(stdout).toBe('');
});

test('the inbox of the guides compiles with its own settings', async () => {
  await run(process.execPath, [nativeCompiler, '-p', await inboxIn(project)]);
});

const payload = `'"><img src=x onerror=ran()><script>ran()</script><svg/onload=ran()>`;

test('a diagram has a title and a description for readers who do not see it', () => {
  const html = diagramFigure(
    'flowchart LR\n  accTitle: A & B\n  accDescr: A sends to B.\n  A[One] --> B[Two]\n',
  );
  expect(html).toMatch(
    /^<figure class="diagram" tabindex="0"><svg role="img" aria-label="A &amp; B. A sends to B."/,
  );
  expect(html).toMatch(/>One<\/text>.*>Two<\/text>.*<figcaption>A &amp; B<\/figcaption><\/figure>\n$/s);
  // Narrow screens show the second drawing, which is higher than wide.
  const [wide, stacked] = Array.from(html.matchAll(/<svg [^>]*width="([\d.]+)" height="([\d.]+)"/g));
  expect([Number(wide?.[1]) > Number(wide?.[2]), Number(stacked?.[1]) < Number(stacked?.[2])]).toEqual([
    true,
    true,
  ]);
});

test('a diagram that is too long, or none, is shown as code', () => {
  for (const source of ['no diagram', `flowchart LR\n${'A --> B\n'.repeat(1_000)}`])
    expect(diagramFigure(source)).toMatch(/^<figure class="code" data-language="Diagram"/);
});

test.each([
  `flowchart LR\n  A["${payload}"] -->|${payload}| B[${payload}]\n  click A "javascript:ran()"\n`,
  `flowchart LR\n  A["a"]:::x\n  classDef x fill:url(javascript:ran());\n  style A fill:#fff" onload="ran()\n`,
  `sequenceDiagram\n accTitle: ${payload}\n participant A as ${payload}\n A->>A: ${payload}\n Note over A: ${payload}\n`,
  `stateDiagram-v2\n [*] --> A : ${payload}\n`,
  `classDiagram\n class A["${payload}"]\n A : +${payload}\n`,
  `erDiagram\n A ||--o{ B : "${payload}"\n`,
])('a diagram with hostile text only draws: %j', (source) => {
  const tags = Array.from(diagramFigure(source).matchAll(/<[^>]*>/g), ([tag]) =>
    tag.replaceAll(/"[^"]*"/g, '""'),
  );
  const drawing =
    /^<\/?(figure|figcaption|svg|g|defs|marker|path|line|polyline|polygon|rect|circle|ellipse|text|tspan|title|desc|pre|code|span)( [\w:-]+="")*\s*\/?>$/;
  expect(tags.filter((tag) => !drawing.test(tag) || / (on\w+|href|style)=/.test(tag))).toEqual([]);
});
