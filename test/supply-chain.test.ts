import { execFile } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { productionPackageNames } from '../scripts/commands/sbom.ts';
import { licenseNotices } from '../scripts/contract/compile/bundle-modules.ts';
import { browserScripts } from '../scripts/contract/docs/browser-scripts.ts';
import { hasProgram } from './support/installed-programs.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  license?: string;
  hasInstallScript?: boolean;
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);
const own = JSON.parse(readFileSync('package.json', 'utf8'));
const locked = Object.entries(packages).filter(([location]) => location !== '');
const nameOf = (location: string): string =>
  location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length);

// Licenses that allow running the service without an obligation to publish its source code.
const permissive = [
  'Python-2.0',
  'MIT/X11',
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
];

// The package.json of these packages states the license (MIT) in an old form, which npm leaves out of the lockfile.
const withOldLicenseForm = ['node_modules/busboy', 'node_modules/streamsearch'];

test('every runtime dependency has a permissive license', () => {
  const used = locked.filter(([location, { dev }]) => !dev && !withOldLicenseForm.includes(location));
  expect(used.length).toBeGreaterThan(50);
  expect(
    used.filter(([, { license = '' }]) => !permissive.includes(license)).map(([location]) => location),
  ).toEqual([]);
});

// A package without a `resolved` URL comes from the configured registry. The digest determines its content.
test('every package has a SHA-512 digest and comes from the configured registry', () => {
  const odd = locked.filter(
    ([, { integrity = '', resolved, link }]) => !integrity.startsWith('sha512-') || resolved || link,
  );
  expect(odd.map(([location]) => location)).toEqual([]);
});

test('package.json lists every dependency with the exact version of the lockfile', () => {
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
    for (const [name, version] of Object.entries<string>(own[kind])) {
      // A second version of a package has a name of its own: `npm:typescript@7.0.2`.
      const [, exact] = /^(?:npm:[\w@/-]+@)?(\d+\.\d+\.\d+)$/.exec(version) ?? [];
      expect(exact, name).toBeDefined();
      expect(packages[`node_modules/${name}`]?.version, name).toBe(exact);
    }
  expect(packages['']).toMatchObject({
    dependencies: own.dependencies,
    devDependencies: own.devDependencies,
  });
});

// The install script of @scarf/scarf would send data to its vendor.
test('npm runs no install scripts, and package.json lists every package that has one', () => {
  expect(readFileSync('.npmrc', 'utf8').split('\n')).toContain('ignore-scripts=true');
  const scripted = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([location]) => nameOf(location));
  expect(own.allowScripts).toEqual(Object.fromEntries(scripted.map((name) => [name, false])));
});

test.runIf(hasProgram('npm'))(
  'the bill of materials lists every runtime dependency with its digest',
  async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      maxBuffer: 64 * 1_048_576,
    });
    const { bomFormat, components, metadata } = JSON.parse(stdout);
    expect(metadata.component).toMatchObject({ name: 'parley', type: 'application' });
    expect(bomFormat).toBe('CycloneDX');
    const listed = components.map(
      ({ name, version }: { name: string; version: string }) => `${name}@${version}`,
    );
    expect([...new Set(listed)].sort()).toEqual([...new Set(productionPackageNames(packages))].sort());
    expect(listed).toContain(`pg@${own.dependencies.pg}`);
    for (const { hashes, name } of components) expect(hashes?.[0]?.alg, name).toBe('SHA-512');
  },
);

interface Workflow {
  on: Record<string, unknown> | string[];
  permissions: Record<string, string>;
  jobs: Record<
    string,
    {
      permissions?: Record<string, string>;
      steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
    }
  >;
}

/** Our workflows, and that of a project that `init` writes. */
const workflows = globSync([
  '.github/workflows/*.yml',
  'scripts/contract/init/project/.github/workflows/*.yml',
]).map((file): [string, Workflow] => [file, parse(readFileSync(file, 'utf8'))]);

test('actions are pinned by commit, and container images by version and digest', () => {
  const steps = workflows.flatMap(([, { jobs }]) => Object.values(jobs).flatMap((job) => job.steps));
  const uses = steps.flatMap((step) => step.uses ?? []);
  expect(uses.length).toBeGreaterThan(5);
  expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  const images = ['Dockerfile', 'compose.yaml'].flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(/^(?:FROM| *image:) (\S+)/gm), ([, image = '']) => image),
  );
  // The image `parley` is excluded, because it is built from this repository.
  const foreign = images.filter((image) => image !== 'parley');
  expect(foreign.length).toBeGreaterThan(1);
  expect(foreign.filter((image) => !/:[\d.]+[\w.-]*@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
});

test('no workflow job with write permission runs unreviewed code', () => {
  for (const [file, { permissions, jobs }] of workflows)
    for (const [name, job] of Object.entries(jobs)) {
      const rights = Object.entries(job.permissions ?? permissions);
      if (rights.every(([, right]) => right === 'read')) continue;
      const checkouts = job.steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'));
      const runsOurs = job.steps.some(({ run = '' }) =>
        // Publishing a tarball runs none of its code.
        /\b(npm|npx|node|bash)\b/.test(run.replace(/npm publish "[^"]*" .*--ignore-scripts/, '')),
      );
      const isBase =
        checkouts.length > 0 && checkouts.every((step) => String(step.with?.ref).includes('.base.sha'));
      expect(runsOurs && !isBase, `${file}: ${name}`).toBe(false);
    }
});

test('workflows give no credentials to the code that they check out, and no rights by default', () => {
  expect(workflows.map(([file]) => file)).toContain(
    'scripts/contract/init/project/.github/workflows/contract.yml',
  );
  for (const [file, { on, permissions, jobs }] of workflows) {
    // It runs with the rights of the base repository.
    expect(Object.keys(on), file).not.toContain('pull_request_target');
    expect(
      Object.values(permissions).every((right) => right === 'read'),
      file,
    ).toBe(true);
    for (const [name, { steps }] of Object.entries(jobs)) {
      const about = `${file}: ${name}`;
      for (const step of steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@')))
        expect(step.with?.['persist-credentials'], about).toBe(false);
      // Files of an artifact must not replace those of the checkout.
      const runsOurs = steps.some(({ uses = '' }) => uses.startsWith('actions/checkout@'));
      for (const step of steps.filter(({ uses = '' }) => uses.startsWith('actions/download-artifact@')))
        if (runsOurs) expect(step.with?.path, about).toMatch(/^\$\{\{ runner\.temp \}\}\//);
      // Values of a pull request are text, not parts of a script.
      for (const { run = '' } of steps) expect(run, about).not.toMatch(/\$\{\{ *github\.(event|head_ref)/);
    }
  }
});

/** Names of commands in packages that this repository locks under the same name. */
const ownPackages = Object.keys({ ...own.dependencies, ...own.devDependencies });
/** Packages of the registry that documents name, and that others maintain. */
const otherPackages = ['tsx'];

// Any account can publish a package under a name that is not taken.
test('documents, messages and workflows run no package of the registry that is not ours or known', () => {
  const files = globSync('{.github,client,openapi,scripts,server}/**/*.{md,ts,mts,yml,yaml,json}').concat(
    globSync('*.{md,yaml,json}').filter((file) => file !== 'package-lock.json'),
    globSync('scripts/contract/init/project/.github/workflows/*.yml'),
  );
  const wrong = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const run = Array.from(text.matchAll(/\bnpx ((?:--?[\w-]+ )*)(@?[a-z][\w./-]*)/g)).filter(
      ([, flags = '', name = '']) =>
        !flags.includes('--no-install') && ![...ownPackages, ...otherPackages].includes(name),
    );
    const installed = Array.from(
      text.matchAll(/\bnpm (?:install|i|exec|add) ((?:--?[\w-]+ )*)(@?[a-z][\w@./-]*)/g),
    ).filter(([, , name = '']) => /^(parley|[a-z-]*parley)/.test(name) && !/\.tgz$/.test(name));
    return [...run, ...installed].map(([line]) => `${file}: ${line}`);
  });
  expect(wrong).toEqual([]);
});

test('the command in compose.yaml writes an .env file that only its owner can read and that git ignores', async () => {
  const [, recipe = ''] = /^# +(test -f \.env .*)$/m.exec(readFileSync('compose.yaml', 'utf8')) ?? [];
  const folder = await temporaryFolder();
  const run = promisify(execFile);
  await run('sh', ['-c', `umask 022; ${recipe}`], { cwd: folder });
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, '.env'), 'utf8')).toMatch(
    /^PARLEY_SECRET_KEY=\S+\nPOSTGRES_PASSWORD=\w+\n$/,
  );
  expect((await run('git', ['check-ignore', '.env'])).stdout).toBe('.env\n');
});

test('a script of the portal begins with the licenses of the packages that it contains', async () => {
  const { 'assets/site.js': site = '', 'assets/theme.js': theme = '' } = await browserScripts(false);
  expect(site).toMatch(/^\/\*!\nminisearch \d/);
  expect(site.slice(0, 3_000)).toContain('Permission is hereby granted');
  expect(theme).not.toContain('Permission');
});

test('each package is named once, in order, and own modules are not', () => {
  const modules = ['yaml/dist/index.js', '@redocly/cli/lib/a.js', 'yaml/dist/b.js'].map((name) =>
    resolve('node_modules', name),
  );
  const names = Array.from(
    licenseNotices([...modules, resolve('server/main.ts')]).matchAll(/^\/\*!\n(\S+) /gm),
    ([, name]) => name,
  );
  expect(names).toEqual(['@redocly/cli', 'yaml']);
});

test('a package without a license file is an error', () => {
  expect(() => licenseNotices([resolve('node_modules/.bin/none/x.js')])).toThrow('has no license file');
});
