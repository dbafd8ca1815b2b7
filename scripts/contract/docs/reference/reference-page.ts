import { isObject } from '../../../../server/lib/json-object.ts';
import type { Contract } from '../../model/contract.ts';
import type { LinkTo } from '../links.ts';
import { renderFragment, type Section } from '../markdown.ts';
import { escapeHtml, toSlug } from '../text.ts';
import { groupEntries, type ReferenceEntry } from './entries.ts';
import { listIn, textIn } from './nodes.ts';

/** Renders the list of all operations and events, by tag. @returns the HTML, and a section per tag */
export function referencePage(
  { document }: Contract,
  entries: readonly ReferenceEntry[],
  linkTo: LinkTo,
): { html: string; sections: Section[] } {
  const groups = groupEntries(entries);
  const descriptions = new Map(
    listIn({ ...document }, 'tags')
      .filter(isObject)
      .map((tag) => [textIn(tag, 'name'), textIn(tag, 'description')]),
  );
  const html = groups.map(({ tag, entries }) => {
    const heading = tag === '' ? '' : `<h2 id="${tagId(tag)}">${escapeHtml(tag)}</h2>\n`;
    const description = renderFragment(descriptions.get(tag) ?? '', linkTo);
    return `${heading}<div class="about">${description}</div>\n<ul class="operations">\n${entries.map(listItem).join('\n')}\n</ul>`;
  });
  return {
    html: `<h1>Reference</h1>\n<p class="lead">Every operation and event, each on its own page with samples that run. Download the contract: <a href="openapi.yaml" download>openapi.yaml</a> or <a href="openapi.json" download>openapi.json</a>.</p>\n${html.join('\n')}`,
    sections: groups.map(({ tag }) => ({ id: tag === '' ? '' : tagId(tag), title: tag, depth: 2, text: '' })),
  };
}

/** Returns the anchor of a tag on the page of all operations. */
export const tagId = (tag: string): string => `tag-${toSlug(tag)}`;

const listItem = ({ href, method, path, title, kind }: ReferenceEntry): string =>
  `<li><a href="${escapeHtml(href)}"><span class="method ${escapeHtml(method)}">${escapeHtml(method)}</span> <strong>${escapeHtml(title)}</strong>${kind === 'event' ? '' : ` <code>${escapeHtml(path)}</code>`}</a></li>`;
