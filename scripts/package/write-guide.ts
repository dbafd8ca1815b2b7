import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readGuides } from '../contract/docs/guides.ts';

const guides = resolve(import.meta.dirname, '../../openapi/guides');

const linkToGuide = /\[([^\]\n]+)\]\(([\w-]+)\.md[^)\n]*\)/g;

/**
 * Writes the pages of the group "Your own API" of the guides, without front matter, and without links to other pages.
 * @param folder folder of a package, such as `dist/runtime/docs`
 */
export async function writeGuide(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const own = (await readGuides(guides)).filter(({ group }) => group === 'Your own API');
  for (const { slug, markdown } of own)
    await writeFile(
      join(folder, `${slug}.md`),
      markdown
        .trimStart()
        .replaceAll(linkToGuide, (link, text: string, target: string) =>
          own.some((page) => page.slug === target) ? link : text,
        ),
    );
}
