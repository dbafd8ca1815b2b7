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
  /** Whether readers see it only after they have chosen it. */
  isHidden?: boolean;
}

/** Returns code as HTML. */
export const highlighted = (text: string, language: string): string =>
  hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : escapeHtml(text);

/** Returns code as HTML, highlighted and scrollable, with a button that copies it. */
export function codeFigure({
  text,
  language,
  label,
  caption = label,
  isOutput = false,
  isFailure = false,
  isHidden = false,
}: CodeFigure): string {
  return `<figure class="code${isOutput ? ' answer' : ''}${isFailure ? ' failed' : ''}" data-language="${escapeHtml(label)}" data-caption="${escapeHtml(caption)}"${isHidden ? ' hidden' : ''}><pre tabindex="0"><code>${highlighted(text, language)}</code></pre><button type="button" data-copy aria-live="polite">Copy</button></figure>\n`;
}
