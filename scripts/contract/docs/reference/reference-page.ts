import { isObject } from '../../../../server/lib/json-object.ts';
import type { Contract } from '../../model/contract.ts';
import { renderFragment, type Section } from '../markdown.ts';
import { escapeHtml, toSlug } from '../text.ts';
import { entryOf } from './entries.ts';
import { listIn, textIn } from './nodes.ts';
import { type Described, operationSection, type SectionContext } from './operation-section.ts';
import { createSamples, type SampleClient } from './samples.ts';

/**
 * Renders every operation and event of a contract as static HTML.
 * @param contract the contract as `contractForReaders` returns it
 * @returns the HTML, and a section per operation for the table of contents
 */
export function referencePage(
  contract: Contract,
  { client, linkTo }: { client: SampleClient; linkTo: SectionContext['linkTo'] },
): { html: string; sections: Section[] } {
  const context: SectionContext = { contract, linkTo, samplesOf: createSamples(contract, client) };
  const all = describedIn(contract);
  const tags = new Map(
    listIn({ ...contract.document }, 'tags')
      .filter(isObject)
      .map((tag) => [textIn(tag, 'name'), textIn(tag, 'description')]),
  );
  const groups = Map.groupBy(all, ({ entry }) => entry.tag);
  const html = [...groups].map(([tag, described]) => {
    const heading = tag === '' ? '' : `<h2 id="tag-${toSlug(tag)}">${escapeHtml(tag)}</h2>\n`;
    const parts = described.map((each) => operationSection(context, each));
    return `${heading}${renderFragment(tags.get(tag) ?? '', linkTo)}\n${parts.join('\n')}`;
  });
  return {
    html: `<h1>Reference</h1>\n<p class="lead">Every operation and event, with the request and its response. <a href="console.html">Send requests</a> in the console.</p>\n${html.join('\n')}`,
    sections: all.map(({ entry }) => ({
      id: entry.id,
      title: entry.kind === 'event' ? entry.path : entry.title,
      method: entry.kind === 'event' ? 'event' : entry.method,
      depth: 2,
      text: '',
    })),
  };
}

/** Returns each operation and each event once. An event may have several methods. */
function describedIn({ operations, webhooks }: Contract): Described[] {
  const events = [...Map.groupBy(webhooks, ({ path }) => path).values()];
  return [
    ...operations.map((operation) => ({ entry: entryOf('operation', operation), operation, others: [] })),
    ...events.map((methods) => {
      // The method with a payload describes the event.
      const operation = methods.find(({ body }) => body !== undefined) ?? methods[0];
      return (
        operation && {
          entry: entryOf('event', operation),
          operation,
          others: methods.filter((each) => each !== operation).map(({ id }) => id),
        }
      );
    }),
  ].filter((described) => described !== undefined);
}
