import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readGuides } from '../contract/docs/guides.ts';

const guides = resolve(import.meta.dirname, '../../openapi/guides');

const linkToOtherPage = /\[([^\]\n]+)\]\((?!https?:|#|toolchain-)[^)\n]*\)/g;

/**
 * Writes the pages of the group "Your own API" of the guides, without front matter, and without links to other pages.
 * @param folder folder of a package, such as `dist/runtime/docs`
 */
export async function writeGuide(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { slug, group, markdown } of await readGuides(guides))
    if (group === 'Your own API')
      await writeFile(join(folder, `${slug}.md`), markdown.trimStart().replaceAll(linkToOtherPage, '$1'));
}
