import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test.each(['SECURITY.md', 'test/ASVS.md'])('every test file and npm script that %s cites exists', (path) => {
  const text = readFileSync(path, 'utf8');
  const files = Array.from(text.matchAll(/`(test\/[^`]+)`/g), ([, file = '']) => file);
  const scripts = Array.from(text.matchAll(/`npm run ([\w:]+)/g), ([, name = '']) => name);
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const known: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(scripts.filter((name) => !(name in known.scripts))).toEqual([]);
});
