import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { browserScripts } from '../../../scripts/contract/docs/browser-scripts.ts';
import { licenseNotices } from '../../../scripts/lib/license-notices.ts';

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
