import hljs from 'highlight.js';
import { escapeHtml } from './text.ts';

/** Code as it is shown. */
export interface CodeFigure {
  text: string;
  /** The language, for highlighting. */
  language: string;
  /** The name by which readers choose the code, and what they see above it unless it has a caption. */
  label: string;
  caption?: string;
  isOutput?: boolean;
  /** Whether the output is that of a failure. */
  isFailure?: boolean;
  /** HTTP header lines of the output. */
  headers?: string;
  /** Whether readers choose it below "More". */
  isRare?: boolean;
  /** Whether readers see it only after they have chosen it. */
  isHidden?: boolean;
  /** Whether readers see the first lines of long code, with a button that shows all. */
  isCut?: boolean;
}

/** Returns code for a shell and the same request in other languages; nothing if the code does not send exactly one. */
export type ShellSamples = (code: string) => readonly CodeFigure[];

/** Longer code is cut. The style sheet shows fewer lines, so that a button is worth it. */
const maxLines = 26;

const highlighted = (text: string, language: string): string =>
  hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : escapeHtml(text);

/** Returns code as HTML, highlighted and scrollable, with buttons that copy it and show all of it. */
export function codeContent({
  text,
  language,
  headers = '',
  isCut,
}: Pick<CodeFigure, 'text' | 'language' | 'headers' | 'isCut'>): string {
  const lines = text.split('\n').length;
  const more =
    isCut && lines > maxLines ? `<button type="button" data-more>Show all ${lines} lines</button>` : '';
  const head = headers === '' ? '' : `<pre class="headers" tabindex="0">${escapeHtml(headers)}</pre>`;
  return `${head}<pre tabindex="0"><code>${highlighted(text, language)}</code></pre><button type="button" data-copy aria-live="polite">Copy</button>${more}`;
}

/** Returns code with its caption as HTML. */
export function codeFigure(figure: CodeFigure): string {
  const { label, caption = label, isOutput, isFailure, isHidden } = figure;
  return `<figure class="code${isOutput ? ' answer' : ''}${isFailure ? ' failed' : ''}" data-language="${escapeHtml(label)}" data-caption="${escapeHtml(caption)}"${isHidden ? ' hidden' : ''}>${codeContent(figure)}</figure>\n`;
}

/** Renders figures of which readers choose one: curl first, whose output guides show. @param title what they choose, for screen readers */
export function choicePanel(title: string, figures: readonly CodeFigure[]): string {
  const first = (figures.find(({ label }) => label === 'curl') ?? figures[0])?.label;
  const button = ({ label }: CodeFigure) =>
    `<button type="button" data-choose="${escapeHtml(label)}" aria-pressed="${label === first}">${escapeHtml(label)}</button>`;
  const [rare, usual] = [figures.filter(({ isRare }) => isRare), figures.filter(({ isRare }) => !isRare)];
  const more =
    rare.length > 0 ? `<details><summary>More</summary>${rare.map(button).join('')}</details>` : '';
  const choice = `<div class="choices" role="group" aria-label="${title}">${usual.map(button).join('')}${more}</div>\n`;
  const html = figures.map((figure) =>
    codeFigure({ ...figure, isHidden: figure.label !== first, isCut: true }),
  );
  return `<div class="choice">${figures.length > 1 ? choice : ''}${html.join('')}</div>\n`;
}
