import { expect, test } from 'vitest';
import { diagramFigure } from '../../../../scripts/contract/docs/diagram-figure.ts';

const payload = `'"><img src=x onerror=ran()><script>ran()</script><svg/onload=ran()>`;

test('a diagram has a title and a description for readers who do not see it', () => {
  const html = diagramFigure(
    'flowchart LR\n  accTitle: A & B\n  accDescr: A sends to B.\n  A[One] --> B[Two]\n',
  );
  expect(html).toMatch(
    /^<figure class="diagram" tabindex="0"><svg role="img" aria-label="A &amp; B. A sends to B."/,
  );
  expect(html).toMatch(/>One<\/text>.*>Two<\/text>.*<figcaption>A &amp; B<\/figcaption><\/figure>\n$/s);
  // Narrow screens show the second drawing, which is higher than wide.
  const [wide, stacked] = Array.from(html.matchAll(/<svg [^>]*width="([\d.]+)" height="([\d.]+)"/g));
  expect([Number(wide?.[1]) > Number(wide?.[2]), Number(stacked?.[1]) < Number(stacked?.[2])]).toEqual([
    true,
    true,
  ]);
});

test('a diagram that is too long, or none, is shown as code', () => {
  for (const source of ['no diagram', `flowchart LR\n${'A --> B\n'.repeat(1_000)}`])
    expect(diagramFigure(source)).toMatch(/^<figure class="code" data-language="Diagram"/);
});

test.each([
  `flowchart LR\n  A["${payload}"] -->|${payload}| B[${payload}]\n  click A "javascript:ran()"\n`,
  `flowchart LR\n  A["a"]:::x\n  classDef x fill:url(javascript:ran());\n  style A fill:#fff" onload="ran()\n`,
  `sequenceDiagram\n accTitle: ${payload}\n participant A as ${payload}\n A->>A: ${payload}\n Note over A: ${payload}\n`,
  `stateDiagram-v2\n [*] --> A : ${payload}\n`,
  `classDiagram\n class A["${payload}"]\n A : +${payload}\n`,
  `erDiagram\n A ||--o{ B : "${payload}"\n`,
])('a diagram with hostile text only draws: %j', (source) => {
  const tags = Array.from(diagramFigure(source).matchAll(/<[^>]*>/g), ([tag]) =>
    tag.replaceAll(/"[^"]*"/g, '""'),
  );
  const drawing =
    /^<\/?(figure|figcaption|svg|g|defs|marker|path|line|polyline|polygon|rect|circle|ellipse|text|tspan|title|desc|pre|code|span)( [\w:-]+="")*\s*\/?>$/;
  expect(tags.filter((tag) => !drawing.test(tag) || / (on\w+|href|style)=/.test(tag))).toEqual([]);
});
