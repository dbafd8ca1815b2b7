import hljs from 'highlight.js';
import { escapeHtml } from './text.ts';

/** Code as it is shown. */
export interface CodeFigure {
  text: string;
  /** The language, for highlighting. */
  language: string;
  /** What readers see above the code. */
  label: string;
  isOutput?: boolean;
  /** Whether the output is that of a failure. */
  isFailure?: boolean;
  /** Attributes of the element, in HTML. */
  attributes?: string;
}

/** Returns code as HTML, highlighted and scrollable. */
export function codeFigure({
  text,
  language,
  label,
  isOutput = false,
  isFailure = false,
  attributes = '',
}: CodeFigure): string {
  const code = hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : escapeHtml(text);
  return `<figure class="code${isOutput ? ' answer' : ''}${isFailure ? ' failed' : ''}" data-language="${escapeHtml(label)}"${attributes}><pre tabindex="0"><code>${code}</code></pre></figure>\n`;
}
