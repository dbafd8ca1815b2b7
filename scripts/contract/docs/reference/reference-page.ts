import { isObject } from '../../../../server/lib/json-object.ts';
import type { Contract } from '../../model/contract.ts';
import type { Page } from '../layout.ts';
import type { LinkTo } from '../links.ts';
import { renderFragment } from '../markdown.ts';
import { breakable, escapeHtml } from '../text.ts';
import { groupEntries, type ReferenceEntry, tagId } from './entries.ts';
import { listIn, textIn } from './nodes.ts';

/** Renders the list of all operations and events, by tag, with a section per tag. */
export function referencePage(
  { document }: Contract,
  entries: readonly ReferenceEntry[],
  linkTo: LinkTo,
): Page {
  const groups = groupEntries(entries);
  const descriptions = new Map(
    listIn({ ...document }, 'tags')
      .filter(isObject)
      .map((tag) => [textIn(tag, 'name'), textIn(tag, 'description')]),
  );
  const html = groups.map(({ tag, entries }) => {
    const heading = tag === '' ? '' : `<h2 id="${tagId(tag)}">${escapeHtml(tag)}</h2>\n`;
    const description = renderFragment(descriptions.get(tag) ?? '', linkTo);
    return `${heading}<div>${description}</div>\n<ul class="operations">\n${entries.map(listItem).join('\n')}\n</ul>`;
  });
  return {
    href: 'reference.html',
    title: 'Reference',
    description: 'Every operation and event.',
    html: `<h1>Reference</h1>\n<p class="lead">Every operation and event, each on its own page with samples that run. Download the contract: <a href="openapi.yaml" download>openapi.yaml</a> or <a href="openapi.json" download>openapi.json</a>.</p>\n${html.join('\n')}`,
    sections: groups.map(({ tag }) => ({ id: tag === '' ? '' : tagId(tag), title: tag, depth: 2, text: '' })),
  };
}

const listItem = ({ href, method, path, title, kind }: ReferenceEntry): string =>
  `<li><a href="${escapeHtml(href)}"><span class="method ${escapeHtml(method)}">${escapeHtml(method)}</span> <strong>${breakable(escapeHtml(title))}</strong>${kind === 'event' ? '' : ` <code>${escapeHtml(path)}</code>`}</a></li>`;
