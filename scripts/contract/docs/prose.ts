import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
  const guides = await readGuides(join(folder, 'guides'), read);
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

/** Returns the guides by group, in order. */
export const groupGuides = (pages: readonly ProsePage[]): { group: string; pages: readonly ProsePage[] }[] =>
  [
    ...Map.groupBy(
      pages.filter(({ guide }) => guide),
      ({ guide }) => guide?.group ?? '',
    ),
  ].map(([group, grouped]) => ({ group, pages: grouped }));
