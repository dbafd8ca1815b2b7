import { hash } from 'node:crypto';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { codeFigure } from './code-figure.ts';
import { escapeHtml } from './text.ts';

/** Diagrams with more characters are shown as code, because their layout could take long. */
const maxLength = 3_000;

/**
 * Draws a Mermaid diagram as SVG. Its colors are those of the page's theme, which site.css sets.
 * @param source a diagram with a title and a description for readers who do not see it: `accTitle: …` and `accDescr: …`
 * @returns HTML. A diagram that is too long, or cannot be drawn, is shown as code.
 */
export function diagramFigure(source: string): string {
  const asCode = codeFigure({ text: source, language: 'mermaid', label: 'Diagram' });
  if (source.length > maxLength) return asCode;
  const title = /^\s*accTitle:(.*)$/m.exec(source)?.[1]?.trim() ?? '';
  const description = /^\s*accDescr:(.*)$/m.exec(source)?.[1]?.trim() ?? '';
  const shown = source.replaceAll(/^\s*acc(Title|Descr):.*\n/gm, '');
  const wide = draw(shown);
  if (wide === undefined) return asCode;
  // On narrow screens, the parts of a flowchart are stacked.
  const stacked = /^\s*flowchart LR$/m.test(shown) ? draw(shown.replace('flowchart LR', 'flowchart TB')) : '';
  const label = `role="img" aria-label="${escapeHtml(`${title}. ${description}`)}"`;
  // A marker in an SVG that is not shown has no effect, so each one has its own.
  const svgs = [wide, ...(stacked ? [stacked] : [])].map((svg, at) =>
    svg.replace('<svg ', `<svg ${label} `).replaceAll(/(?<=id="|url\(#)/g, `${hash('sha1', source)}-${at}-`),
  );
  return `<figure class="diagram" tabindex="0">${svgs.join('')}<figcaption>${escapeHtml(title)}</figcaption></figure>\n`;
}

function draw(source: string): string | undefined {
  try {
    const svg = renderMermaidSVG(source, { transparent: true, padding: 12 });
    // The policy of pages allows no styles in them.
    return svg.replace(/<style>.*?<\/style>\n?/s, '').replace(/ style="[^"]*"/, '');
  } catch {
    return undefined;
  }
}
