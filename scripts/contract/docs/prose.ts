import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Guide, readGuides } from './guides.ts';
import type { Page } from './layout.ts';
import type { LinkTo } from './links.ts';
import { render, type Section } from './markdown.ts';

/** A page that is written by hand. */
export interface ProsePage extends Page {
  sections: readonly Section[];
  /** The guide; undefined for other pages, such as decisions. */
  guide?: Guide;
}

/**
 * Reads and renders the hand-written texts beside a contract: guides, changelog, decisions, and `home.md` for the home page.
 * @param folder the folder of the contract
 * @param read reads a file, if the contract may refer to it
 * @throws Error if a guide cannot be read
 */
export async function readProse(
  folder: string,
  read: (file: string) => Promise<string>,
  linkTo: LinkTo,
): Promise<{ home: string; prose: ProsePage[] }> {
  const guides = await readGuides(join(folder, 'guides'), async (file) =>
    withFiles(await read(file), join(folder, 'guides'), read),
  );
  const pageOf = (href: string, file: string, text: string, guide?: Guide): ProsePage => {
    const rendered = render(text, linkTo);
    // The Markdown has the name of its source, so that links between sources work.
    const markdown = { file, text, group: guide?.group ?? 'Contract' };
    return {
      href,
      ...rendered,
      description: guide?.summary ?? rendered.title,
      markdown,
      ...(guide && { guide }),
    };
  };
  const besideContract = async (name: string, href: string) => {
    const file = join(folder, name);
    return existsSync(file) ? [pageOf(href, name, await read(file))] : [];
  };
  const [home] = await besideContract('home.md', 'index.html');
  return {
    home: home?.html ?? '',
    prose: [
      ...guides.map((guide) =>
        pageOf(`guides/${guide.slug}.html`, `guides/${guide.slug}.md`, guide.markdown, guide),
      ),
      ...(await besideContract('CHANGELOG.md', 'changelog.html')),
      ...(await besideContract('decisions.md', 'decisions.html')),
    ],
  };
}

/** Replaces `<!-- files: inbox -->` with the files of this folder as code that readers can unfold. */
async function withFiles(
  text: string,
  cwd: string,
  read: (file: string) => Promise<string>,
): Promise<string> {
  const [comment, folder] = /^<!-- files: (\w+) -->$/m.exec(text) ?? [];
  if (comment === undefined) return text;
  const files = await Array.fromAsync(glob(`${folder}/{*,src/*}.*`, { cwd }));
  const code = files.sort().map(async (name) => {
    const file = name.replaceAll('\\', '/');
    return `\`\`\`${extname(file).slice(1)} ${file} folded\n${await read(join(cwd, file))}\`\`\``;
  });
  const all = (await Promise.all(code)).join('\n\n');
  return text.replace(comment, () => all);
}

/** Returns the guides by group, in order. */
export const groupGuides = (pages: readonly ProsePage[]): { group: string; pages: readonly ProsePage[] }[] =>
  [
    ...Map.groupBy(
      pages.filter(({ guide }) => guide),
      ({ guide }) => guide?.group ?? '',
    ),
  ].map(([group, grouped]) => ({ group, pages: grouped }));
