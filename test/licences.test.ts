import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  dev?: boolean;
  license?: string;
}

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
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  );
  const used = Object.entries(packages).filter(
    ([name, { dev }]) => name !== '' && !dev && !saidOtherwise.includes(name),
  );
  expect(used.length).toBeGreaterThan(50);
  expect(used.filter(([, { license = '' }]) => !permissive.includes(license)).map(([name]) => name)).toEqual(
    [],
  );
});
