import { Marked, type Token } from 'marked';
import { expect, test } from 'vitest';
import type { CheckOutcome, Finding } from '../../../../scripts/contract/check/check.ts';
import { formatMarkdown } from '../../../../scripts/contract/check/reports/markdown.ts';
import type { SurviveFinding } from '../../../../scripts/contract/survive/findings.ts';
import { formatSurviveReport } from '../../../../scripts/contract/survive/report-text.ts';

/** Leaves code spans, code blocks, list items and table cells, and creates links, mentions and references. */
const attacks = [
  '`` ` ``` ```` @team `<img src=x onerror=y>`',
  'a\r\r# heading @team\r\n\r\n```\n@team\n```',
  '| @team | x |\n|---|---|\n| y |',
  '[link](https://evil.invalid) ![image](https://evil.invalid/i.png) https://evil.invalid www.evil.invalid _www.evil.invalid',
  '&#64;team &lt;b&gt; <b>bold</b> <!-- --> @team #12 GH-1 org/repo#12',
  '\u001b[2J\u202e\u2028@team\\@team *b* _i_ ~~s~~ $`x`$',
  '100%0A::error::FORGED, line=2:',
];

const outcomeOf = (text: string): CheckOutcome => {
  const finding: Finding = {
    ...{ rule: text, severity: 'error', message: text, fix: text, file: text, line: 1, column: 1 },
    details: [text, `\r${text}`],
    consumers: [{ consumer: text, verdict: 'may break', places: [text] }],
  };
  return {
    ...{ check: 'changes', state: 'failed', summary: text, seconds: 1 },
    findings: [finding, { ...finding, details: [] }],
  };
};

/** Returns the kinds of tokens, and the texts in which GitHub looks for mentions, references and links. */
function tokensOf(markdown: string): { kinds: Set<string>; html: Set<string>; texts: string[] } {
  const marked = new Marked({ gfm: true });
  const [kinds, html, texts] = [new Set<string>(), new Set<string>(), [] as string[]];
  marked.walkTokens(marked.lexer(markdown), (token: Token) => {
    kinds.add(token.type);
    if (token.type === 'html') html.add(token.raw.trim());
    if (token.type === 'text' && !('tokens' in token && token.tokens)) texts.push(token.raw);
  });
  return { kinds, html, texts };
}

test.each(attacks)('a text of a document stays in its place in the report: %j', (text) => {
  const markdown = formatMarkdown([outcomeOf(text)]);
  const { kinds, html, texts } = tokensOf(markdown);
  const expected = tokensOf(formatMarkdown([outcomeOf('plain')]));
  expect([...kinds].filter((kind) => ![...expected.kinds, 'escape'].includes(kind))).toEqual([]);
  expect([...html].filter((each) => !['<br>', '<!-- -->'].includes(each))).toEqual([]);
  expect(texts.filter((each) => /@\w|#\d|&#|:\/\/|www\.\w/i.test(each))).toEqual([]);
  expect(markdown.match(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu)).toBeNull();
  expect(markdown.split('\n').filter((line) => /^\s*#/.test(line))).toEqual(
    formatMarkdown([outcomeOf('plain')])
      .split('\n')
      .filter((line) => line.startsWith('#')),
  );
});

test.each(attacks)('a text of a document stays in its place in the report of survive: %j', (text) => {
  const finding: SurviveFinding = {
    ...{ level: 'error', class: 'documented', kind: 'wrong value', title: text, legal: text, message: text },
    ...{ scenario: 'nulls', operations: [text], locations: [text], consequence: 'none', reproduce: [text] },
    response: { status: 200, headers: {}, body: text },
  };
  const plain = { ...finding, title: 'p', legal: 'p', message: 'p', operations: ['p'], locations: ['p'] };
  const report = { baseline: { operations: [], rejected: [text] }, results: [], notApplicable: [] };
  const given = Object.assign(Object.create(null), report);
  const lines = formatSurviveReport(given, [finding]).split('\n');
  expect(lines.length).toBe(formatSurviveReport(given, [plain]).split('\n').length);
});

test('a text of a document ends neither a cell of a table nor a code block', () => {
  const markdown = formatMarkdown([outcomeOf('a | b ```')]);
  expect(markdown).toContain('a \\| b');
  // The fence is longer than any fence inside it.
  expect(markdown).toContain('  ````\n  a | b ```\n');
});
