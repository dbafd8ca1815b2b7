import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { addDecisionLocations } from './decision-locations.ts';
import { type Guide, readGuides } from './guides.ts';
import type { LinkTo } from './links.ts';
import { type Rendered, render } from './markdown.ts';

/** A page that is written by hand. */
export interface ProsePage extends Rendered {
  href: string;
  /** The file with its Markdown, named as the source, so that links between sources work. */
  markdownHref: string;
  source: string;
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
  document: object,
  linkTo: LinkTo,
): Promise<{ home: string; prose: ProsePage[] }> {
  const guides = await readGuides(join(folder, 'guides'), read);
  const besideContract = async (name: string, href: string, extend = (text: string) => text) => {
    const file = join(folder, name);
    if (!existsSync(file)) return [];
    const source = extend(await read(file));
    return [{ href, markdownHref: basename(file), source, ...render(source, linkTo) }];
  };
  const [home] = await besideContract('home.md', 'index.html');
  return {
    home: home?.html ?? '',
    prose: [
      ...guides.map((guide) => ({
        guide,
        href: `guides/${guide.slug}.html`,
        markdownHref: `guides/${guide.slug}.md`,
        source: guide.markdown,
        ...render(guide.markdown, linkTo),
      })),
      ...(await besideContract('CHANGELOG.md', 'changelog.html')),
      ...(await besideContract('decisions.md', 'decisions.html', (page) =>
        addDecisionLocations(page, document),
      )),
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
