import type { OpenApiDocument } from '../../../lib/openapi-document.ts';
import { renderFragment, type Section } from '../markdown.ts';
import { escapeHtml, toSlug } from '../text.ts';
import { referenceEntries } from './entries.ts';
import { createReader, listIn, type Node, nodeIn, textIn } from './nodes.ts';
import { type Described, operationSection, type SectionContext } from './operation-section.ts';
import type { SampleClient } from './samples.ts';

/**
 * Renders every operation and event of a contract as static HTML.
 * @param document the contract as `documentForReaders` returns it
 * @returns the HTML, and a section per operation for the table of contents
 */
export function referencePage(
  document: OpenApiDocument,
  options: { client: SampleClient; linkTo: SectionContext['linkTo'] },
): { html: string; sections: Section[] } {
  const context: SectionContext = { reader: createReader(document), ...options };
  const all = describedIn(document, context);
  const tags = new Map(
    listIn({ ...document }, 'tags').map((tag) => [textIn(context.reader.resolve(tag), 'name'), tag]),
  );
  const groups = Map.groupBy(all, ({ entry }) => entry.tag);
  const html = [...groups].map(([tag, described]) => {
    const description = textIn(context.reader.resolve(tags.get(tag)), 'description');
    const heading = tag === '' ? '' : `<h2 id="tag-${toSlug(tag)}">${escapeHtml(tag)}</h2>\n`;
    const parts = described.map((each) => operationSection(context, each));
    return `${heading}${renderFragment(description, options.linkTo)}\n${parts.join('\n')}`;
  });
  return {
    html: `<h1>Reference</h1>\n<p class="lead">Every operation and event, with the request and its response. <a href="console.html">Send requests</a> in the console.</p>\n${html.join('\n')}`,
    sections: all.map(({ entry }) => ({
      id: entry.id,
      title: entry.kind === 'event' ? entry.path : entry.title,
      depth: 2,
      text: '',
    })),
  };
}

/** Returns each operation and each event once. An event may have several methods. */
function describedIn(document: OpenApiDocument, { reader }: SectionContext): Described[] {
  const root: Node = { ...document };
  const seen = new Map<string, Described>();
  for (const entry of referenceEntries(document)) {
    const items = nodeIn(root, entry.kind === 'event' ? 'webhooks' : 'paths');
    const item = reader.resolve(items[entry.path]);
    const operation = reader.resolve(item[entry.method]);
    const key = entry.kind === 'event' ? entry.path : entry.id;
    const known = seen.get(key);
    const hasBody = operation.requestBody !== undefined;
    const others = known ? [...known.others, hasBody && !bodyOf(known) ? known.entry.id : entry.id] : [];
    // The method with a payload describes the event.
    if (known && !(hasBody && !bodyOf(known))) seen.set(key, { ...known, others });
    else seen.set(key, { entry, item, operation, needsToken: needsToken(root, operation), others });
  }
  return [...seen.values()];
}

const bodyOf = ({ operation }: Described): boolean => operation.requestBody !== undefined;

const needsToken = (root: Node, operation: Node): boolean =>
  listIn('security' in operation ? operation : root, 'security').some(
    (alternative) =>
      typeof alternative === 'object' && alternative !== null && Object.keys(alternative).length > 0,
  );
