import { Marked, type Token, type Tokens } from 'marked';
import { MarkdownTokenizer } from '../../lib/markdown-tokenizer.ts';
import { choicePanel, codeFigure, type ShellSamples } from './code-figure.ts';
import { diagramFigure } from './diagram-figure.ts';
import type { LinkTo } from './links.ts';
import { breakable, escapeHtml, toSlug, uniqueNames } from './text.ts';

/** A heading with the text up to the next heading of any level, or the row of an error code in a table. */
export interface Section {
  /** The anchor of the heading; empty for the text before the first section. */
  id: string;
  title: string;
  depth: number;
  /** The sentences without markup, which the search shows. */
  text: string;
  /** The words of tables and code, which the search finds without showing them. */
  rest?: string | undefined;
}

interface Rendered {
  /** The title of the page. */
  title: string;
  html: string;
  sections: Section[];
}

/**
 * Renders Markdown: headings with anchors, highlighted code, scrollable tables.
 * @param linkTo converts a link in the source to a link in the portal
 * @param samplesOf returns code for a shell in all languages, if it sends a request
 */
export function render(markdown: string, linkTo: LinkTo, samplesOf: ShellSamples = () => []): Rendered {
  const sections: Section[] = [{ id: '', title: '', depth: 1, text: '' }];
  const codes: Section[] = [];
  const unique = uniqueNames();
  let output = 'Output';
  // The anchor of a decision is its ID, so that it stays the same if the title changes.
  const idFor = (title: string): string =>
    unique(/^D\d+(?= ·)/.exec(title)?.[0].toLowerCase() ?? toSlug(title));
  const marked = new Marked({
    renderer: {
      // HTML in Markdown is shown as text. Comments are not shown.
      html: ({ text }) => (isComment(text) ? '' : escapeHtml(text)),
      link({ href, title, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(linkTo(href))}"${title ? ` title="${escapeHtml(title)}"` : ''}>${this.parser.parseInline(tokens)}</a>`;
      },
      // Pages load nothing from other origins, so an image is a link.
      image: ({ href, text }) => `<a href="${escapeHtml(linkTo(href))}">${escapeHtml(text || href)}</a>`,
      heading({ tokens, depth, text }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        const title = plainText(text);
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        const id = idFor(title);
        sections.push({ id, title, depth, text: '' });
        return headingHtml(depth, id, inner, title);
      },
      codespan: ({ text }) => `<code>${breakable(escapeHtml(text))}</code>`,
      code(token: Tokens.Code) {
        const [first, ...others] = (translated.get(token) ?? [token]).map(figureOf);
        if (!first) return '';
        const { text, language, role, isFolded } = first;
        if (language === 'mermaid') return diagramFigure(text);
        if (others.length > 0) return choicePanel('Language', [first, ...others]);
        const samples = language === 'sh' && role === '' ? samplesOf(text) : [];
        // Readers may have chosen another language than that of the output.
        if (role !== 'answer') output = samples.length > 0 ? 'Output of curl' : 'Output';
        if (samples.length > 0) return choicePanel('Language', samples);
        const figure = codeFigure(first.isOutput ? { ...first, caption: output } : first);
        if (!isFolded) return figure;
        // A link to an element inside opens it.
        return `<details><summary>${escapeHtml(role)}</summary><div id="${toSlug(role)}">${figure}</div></details>`;
      },
      table(token: Tokens.Table) {
        const header = token.header.map(({ tokens }) => `<th>${this.parser.parseInline(tokens)}</th>`);
        // On narrow screens, rows are stacked, and each cell names its column.
        const cell = ({ tokens }: Tokens.TableCell, at: number) =>
          `<td data-column="${escapeHtml(plainText(token.header[at]?.text ?? ''))}">${this.parser.parseInline(tokens)}</td>`;
        const rows = token.rows.map((row) => {
          const [name = '', ...texts] = row.map(({ text }) => plainText(text));
          if (!/^\d{5}$/.test(name)) return `<tr>${row.map(cell).join('')}</tr>`;
          // Readers search for error codes, and for their status.
          const id = unique(name);
          const isSentence = (text: string) => text.endsWith('.');
          const [sentences, others] = [texts.filter(isSentence), texts.filter((text) => !isSentence(text))];
          codes.push({
            id,
            title: name,
            depth: 6,
            text: sentences.join(' '),
            rest: [name.slice(0, 3), ...others].join(' '),
          });
          return `<tr id="${id}">${row.map(cell).join('')}</tr>`;
        });
        return `<div class="table" tabindex="0" role="region" aria-label="Table: ${escapeHtml(`${sections.at(-1)?.title || 'overview'}, by ${plainText(token.header[0]?.text ?? '')}`)}"><table><thead><tr>${header.join('')}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(markdown, { ...marked.defaults, tokenizer: new MarkdownTokenizer() });
  const translated = translationsIn(tokens);
  const html = marked.parser(tokens);
  const heading = tokens.find(
    (token): token is Tokens.Heading => token.type === 'heading' && token.depth === 1,
  );
  const texts = textsOf(tokens);
  return {
    title: plainText(heading?.text ?? ''),
    html,
    sections: [...sections.map((section, at) => ({ ...section, ...texts[at] })), ...codes],
  };
}

/** Renders a heading with a link to itself. @param html the heading as HTML @param title the same as text */
export const headingHtml = (depth: number, id: string, html: string, title: string): string =>
  `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to section: ${escapeHtml(title)}">#</a></h${depth}>\n`;

/** Renders Markdown inside a page. A single paragraph is not wrapped in an element. */
export function renderFragment(markdown: string, linkTo: LinkTo): string {
  if (markdown === '') return '';
  const { html } = render(markdown, linkTo);
  return html.lastIndexOf('<p>') === 0 ? html.replace(/^<p>(.*)<\/p>\n$/s, '$1') : html;
}

/** What readers see above code, by language. */
const labels: Readonly<Record<string, string>> = {
  sh: 'Terminal',
  ts: 'TypeScript',
  tsx: 'React',
  js: 'JavaScript',
  python: 'Python',
  php: 'PHP',
};

const figureOf = ({ text, lang = '' }: Tokens.Code) => {
  const [language = '', role = '', isFolded] = lang.split(' ');
  const isOutput = role === 'answer';
  const label = labels[language] ?? language;
  // Code of a file shows the name of the file.
  const caption = role.includes('.') ? role : label;
  return { text, language, label, caption, isOutput, role, isFolded };
};

/** Groups code that shows the same in several languages, such as `receiver` and `receiver.py`. Only the first has its group. */
function translationsIn(tokens: readonly Token[]): Map<Token, Tokens.Code[]> {
  const isCode = (token: Token): token is Tokens.Code => token.type === 'code';
  const named = Map.groupBy(
    tokens.filter(isCode),
    (code) => /^\w+ ([a-z]+)(\.\w+)?$/.exec(code.lang ?? '')?.[1],
  );
  for (const name of ['answer', undefined]) named.delete(name);
  const groups = [...named.values()].filter((group) => new Set(group.map(({ lang }) => lang)).size > 1);
  return new Map(groups.flatMap((group) => group.map((code, at) => [code, at === 0 ? group : []])));
}

const isComment = (text: string): boolean => /^<!--.*-->\s*$/s.test(text);

/** Returns the text of each section, with a line per paragraph and item. */
function textsOf(tokens: readonly Token[]): Pick<Section, 'text' | 'rest'>[] {
  const sections: Token[][] = [[]];
  for (const token of tokens)
    if (token.type !== 'heading') sections.at(-1)?.push(token);
    else if (token.depth > 1) sections.push([]);
  const isText = ({ type }: Token) => type !== 'table' && type !== 'code';
  const textOf = (parts: Token[]) =>
    parts
      .flatMap((part) =>
        part.type === 'list' ? part.items.map(({ text }: Tokens.ListItem) => text) : part.raw,
      )
      .filter((raw) => !isComment(raw))
      .map(plainText)
      .join('\n')
      .trim();
  return sections.map((parts) => ({
    text: textOf(parts.filter(isText)),
    rest: textOf(parts.filter((part) => !isText(part))),
  }));
}

/** Removes Markdown's markup. */
export const plainText = (markdown: string): string =>
  markdown
    // Brackets end the search for a link, so that its time is linear.
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/[|#>]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns the first sentence of Markdown, without markup. */
export const firstSentence = (markdown: string): string => plainText(markdown).split(/(?<=[.!?])\s/)[0] ?? '';
