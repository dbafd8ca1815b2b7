import type { SearchEntry } from './browser/globals.ts';
import type { Page } from './layout.ts';
import { plainText } from './markdown.ts';
import type { ProsePage } from './prose.ts';
import type { ReferenceEntry } from './reference/entries.ts';

/** How much entries count besides the first guides: operations, pages for fewer readers, those about the contract, and properties. */
const [operation, laterPage, contractPage, property] = [0.8, 0.6, 0.5, 0.4];

/** The page of all operations and events. */
const referenceEntry: SearchEntry = {
  title: 'Reference',
  location: '',
  text: 'All operations and events. Send requests from the browser, also without a server (console). The contract for Postman, Insomnia and other tools: openapi.json and openapi.yaml.',
  group: 'Reference',
  weight: 1,
  href: 'reference.html',
};

/** Returns the search entries: each section of each page, each operation, event and property. */
export function searchEntries(
  pages: readonly ProsePage[],
  reference: readonly ReferenceEntry[],
  operationPages: readonly Page[],
): SearchEntry[] {
  const first = pages.find(({ guide }) => guide)?.guide?.group;
  const weightOf = ({ guide }: ProsePage) => (guide ? (guide.group === first ? 1 : laterPage) : contractPage);
  const prose = pages.flatMap((page) =>
    page.sections.map((section): SearchEntry => {
      const { title, href } = page;
      const about = {
        // Sections without sentences are shown with what their page is about.
        text: section.text || page.description,
        rest: section.rest,
        group: page.guide?.group ?? 'Contract',
        weight: weightOf(page),
      };
      return section.id === ''
        ? { title, location: '', href, ...about }
        : { title: section.title, location: title, href: `${href}#${section.id}`, ...about };
    }),
  );
  const described = reference.map(
    ({ kind, id, title, method, path, description, href }): SearchEntry => ({
      title,
      location: kind === 'event' ? 'Event' : `${method.toUpperCase()} ${path}`,
      text: plainText(description),
      rest: id,
      group: 'Reference',
      weight: operation,
      href,
    }),
  );
  const properties = operationPages.flatMap(({ title: location, href, sections = [] }) =>
    sections.map(({ id, title, text }) => ({ title, location, text, href: `${href}#${id}` })),
  );
  // Many pages have the same property. The search finds the first one, and lists the others for the exact name.
  const found = Map.groupBy(properties, ({ title }) => title).values();
  const named = [...found].flatMap((places) => {
    const pages = new Map(places.toReversed().map(({ location, href }) => [location, href]));
    return places
      .slice(0, 1)
      .map((first) => ({ ...first, group: 'Reference', weight: property, pages: [...pages].reverse() }));
  });
  return [referenceEntry, ...described, ...prose, ...named];
}
