import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { namesNeeded } from '../scripts/sbom/needed-to-run.ts';
import { hasProgram } from './programs.ts';

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
const locked = Object.entries(packages).filter(([place]) => place !== '');
const nameOf = (place: string): string =>
  place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

// Whoever runs the service may do with it what they like, and need publish nothing.
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

// Their package.json says so in an old form that npm leaves out of the lockfile: MIT.
const saidOtherwise = ['node_modules/busboy', 'node_modules/streamsearch'];

test('everything that the service runs on has a licence that asks for a notice at the most', () => {
  const used = locked.filter(([place, { dev }]) => !dev && !saidOtherwise.includes(place));
  expect(used.length).toBeGreaterThan(50);
  expect(
    used.filter(([, { license = '' }]) => !permissive.includes(license)).map(([place]) => place),
  ).toEqual([]);
});

// Where it comes from is whatever registry npm is set to; the digest says what has to come.
test('every package is known by a digest before it is unpacked, and none comes from elsewhere than a registry', () => {
  const odd = locked.filter(
    ([, { integrity = '', resolved, link }]) => !integrity.startsWith('sha512-') || resolved || link,
  );
  expect(odd.map(([place]) => place)).toEqual([]);
});

test('what is asked for is one version, and it is the one that is locked', () => {
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
    for (const [name, version] of Object.entries<string>(own[kind])) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  expect(packages['']).toMatchObject({
    dependencies: own.dependencies,
    devDependencies: own.devDependencies,
  });
});

// It would report home.
test('no package may run a script when it is installed, and the one that would is named', () => {
  expect(readFileSync('.npmrc', 'utf8').split('\n')).toContain('ignore-scripts=true');
  const scripted = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([place]) => nameOf(place));
  expect(own.allowScripts).toEqual(Object.fromEntries(scripted.map((name) => [name, false])));
});

test.runIf(hasProgram('npm'))(
  'the bill of materials names all that the service runs on, by digest',
  async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      maxBuffer: 64 * 1_048_576,
    });
    const { bomFormat, components, metadata } = JSON.parse(stdout);
    expect(metadata.component).toMatchObject({ name: 'parley', type: 'application' });
    expect(bomFormat).toBe('CycloneDX');
    const told = components.map(
      ({ name, version }: { name: string; version: string }) => `${name}@${version}`,
    );
    expect([...new Set(told)].sort()).toEqual([...new Set(namesNeeded(packages))].sort());
    expect(told).toContain(`yaml@${own.dependencies.yaml}`);
    for (const { hashes, name } of components) expect(hashes?.[0]?.alg, name).toBe('SHA-512');
  },
);
