import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

/** A hand-written guide next to the contract. */
export interface Guide {
  slug: string;
  /** The readers of the guide, for the home page and the search. */
  group: string;
  /** The heading in the navigation that the guide is listed under. */
  topic: string;
  /** The position in the navigation. */
  order: number;
  /** One sentence about the contents. */
  summary: string;
  markdown: string;
}

/**
 * Reads the guides in a folder, in order. Each file begins with front matter: `order`, `summary` and optionally `group`
 * (default: Guides), between two lines of dashes. Large groups have topics: `group: Build / Data`.
 * @param read reads a file, if the contract may refer to it
 * @throws Error with the name of a file that lacks `order` or `summary`
 */
export async function readGuides(
  folder: string,
  read: (file: string) => Promise<string> = (file) => readFile(file, 'utf8'),
): Promise<Guide[]> {
  const guides: Guide[] = [];
  for await (const file of glob('*.md', { cwd: folder }))
    guides.push(guideFrom(basename(file, '.md'), await read(join(folder, file))));
  return guides.sort((one, other) => one.order - other.order || one.slug.localeCompare(other.slug));
}

/** Splits a guide into its front matter and its text. */
export function parseGuide(text: string): { head: unknown; markdown: string } {
  const [, head = '', markdown = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text.replaceAll('\r\n', '\n')) ?? [];
  return { head: parse(head), markdown };
}

function guideFrom(slug: string, text: string): Guide {
  const { head: read, markdown } = parseGuide(text);
  if (
    typeof read !== 'object' ||
    read === null ||
    !('order' in read && 'summary' in read) ||
    typeof read.order !== 'number' ||
    typeof read.summary !== 'string'
  )
    throw new Error(
      `The guide ${slug}.md must begin with its order and summary: ---, order: 1, summary: …, ---`,
    );
  const given = 'group' in read && typeof read.group === 'string' ? read.group : 'Guides';
  const [group = given, topic = group] = given.split(' / ');
  return { slug, group, topic, order: read.order, summary: read.summary, markdown };
}
