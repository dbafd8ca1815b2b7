import type { SearchEntry } from './browser/globals.ts';
import type { Section } from './markdown.ts';
import type { ReferenceEntry } from './reference/entries.ts';

/** A page of prose, for the search. */
export interface ProsePage {
  title: string;
  href: string;
  sections: readonly Section[];
}

/** Returns the search entries: each section of each page, each operation and each event. */
export function searchEntries(
  pages: readonly ProsePage[],
  reference: readonly ReferenceEntry[],
): SearchEntry[] {
  const prose = pages.flatMap(({ title, href, sections }) =>
    sections.map(
      (section): SearchEntry =>
        section.id === ''
          ? { title, location: 'Page', text: section.text, href }
          : { title: section.title, location: title, text: section.text, href: `${href}#${section.id}` },
    ),
  );
  const operations = reference
    .filter(({ kind }) => kind === 'operation')
    .map(
      ({ id, title, method, path, description }): SearchEntry => ({
        title,
        location: `${method.toUpperCase()} ${path}`,
        text: `${id} ${description}`,
        href: `reference.html#${id}`,
      }),
    );
  const events = new Map<string, SearchEntry>();
  for (const { kind, id, path, method, description } of reference)
    if (kind === 'event' && (method === 'post' || !events.has(path)))
      events.set(path, { title: path, location: 'Event', text: description, href: `reference.html#${id}` });
  return [...operations, ...events.values(), ...prose];
}
