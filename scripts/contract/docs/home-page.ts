import type { Guide } from './guides.ts';
import { escapeHtml } from './text.ts';

interface HomeOptions {
  title: string;
  summary: string;
  guides: readonly { title: string; href: string; guide?: Guide }[];
}

/** Renders the home page, which describes the API and the entry point for each kind of reader. */
export function homePage({ title, summary, guides }: HomeOptions): string {
  const cards = [
    ...guides.flatMap(({ title: name, href, guide }) => (guide ? [card(name, guide.summary, href)] : [])),
    card(
      'Reference and console',
      'Every operation and every event, with requests that you can send from the page.',
      'reference.html',
    ),
    ...guides.flatMap(({ title: name, href, guide }) =>
      guide ? [] : [card(name, contractFiles[href] ?? '', href)],
    ),
  ];
  return `<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(summary)}</p>
<ul class="cards">
${cards.join('\n')}
</ul>
<p>The contract itself: <a href="openapi.json" download>openapi.json</a> · <a href="openapi.yaml" download>openapi.yaml</a></p>
`;
}

/** Files next to the contract. */
const contractFiles: Readonly<Record<string, string>> = {
  'changelog.html': 'The changes of each version for API users.',
  'decisions.html': 'Decisions where the specification leaves something open, with reasons.',
};

const card = (title: string, text: string, href: string): string =>
  `<li><a href="${escapeHtml(href)}"><strong>${escapeHtml(title)}</strong><span>${escapeHtml(text)}</span></a></li>`;

export const notFound = `<h1>Page not found</h1>
<p>It may have moved. Use the search, or go to the <a href="index.html">start page</a>.</p>
`;

interface Neighbour {
  title: string;
  href: string;
}

/** Renders links to the previous and next guide. */
export function pager(before: Neighbour | undefined, after: Neighbour | undefined): string {
  const link = ({ title, href }: Neighbour, rel: 'prev' | 'next') =>
    `<a rel="${rel}" href="${escapeHtml(href.slice(href.lastIndexOf('/') + 1))}">${rel === 'prev' ? '← ' : ''}${escapeHtml(title)}${rel === 'next' ? ' →' : ''}</a>`;
  const links = [...(before ? [link(before, 'prev')] : []), ...(after ? [link(after, 'next')] : [])];
  return `<nav class="pager" aria-label="Other guides">${links.join('')}</nav>\n`;
}
