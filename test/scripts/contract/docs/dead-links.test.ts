import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { buildSite } from '../../../../scripts/contract/docs/site.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const unescaped = (text: string): string => decodeURIComponent(text.replaceAll('&amp;', '&'));

test('no page of the portal has dead links', async () => {
  const folder = await temporaryFolder();
  await buildSite({
    api: contractConfig.api,
    out: folder,
    mock: 'http://127.0.0.1:1',
    config: contractConfig,
  });
  const pages = await Array.fromAsync(glob('**/*.html', { cwd: folder }));
  const texts = new Map(
    await Promise.all(
      pages.map(
        async (page) => [page, await readFile(join(folder, page), 'utf8')] satisfies [string, string],
      ),
    ),
  );
  const idsOf = (page: string) =>
    new Set([...(texts.get(page) ?? '').matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => unescaped(id)));
  const ids = new Map(pages.map((page) => [page, idsOf(page)]));
  const links = [...texts].flatMap(([page, text]) =>
    [...text.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(([, href = '']) => ({
      page,
      href: unescaped(href),
    })),
  );
  const internal = links.filter(({ href }) => !/^[a-z]+:/.test(href));
  const dead = internal.filter(({ page, href }) => {
    const [path = '', fragment] = href.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(folder, target))) return true;
    if (!fragment) return false;
    return !ids.get(target)?.has(fragment);
  });
  expect(dead).toEqual([]);
  expect(pages.length).toBeGreaterThan(15);
  expect(internal.length).toBeGreaterThan(500);
});
