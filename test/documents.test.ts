import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { Marked, type Token } from 'marked';
import { expect, test } from 'vitest';
import { parseGuide } from '../scripts/contract/docs/guides.ts';
import { toSlug } from '../scripts/contract/docs/text.ts';
import { isOperationId } from '../server/own-contract/handler.ts';
import { configHelp } from '../server/runtime/config/config-help.ts';
import { wrapMarkdown } from './support/wrap-markdown.ts';

const documents = globSync(['*.md', '{client,scripts,test}/*.md', 'openapi/*.md', 'openapi/guides/*.md']);

/** Returns the anchors of a document: those that GitHub creates, and those that the portal creates for decisions. */
function anchorsOf(file: string): string[] {
  const headings = Array.from(readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm), ([, title = '']) => title);
  return headings.flatMap((title) => [
    toSlug(title.replaceAll(/[`*]/g, '')),
    title.split(' · ')[0]?.toLowerCase() ?? '',
  ]);
}

function linksOf(file: string): string[] {
  const links: string[] = [];
  const marked = new Marked({
    walkTokens: (token: Token) => {
      if (token.type === 'link') links.push(token.href);
    },
  });
  marked.parse(readFileSync(file, 'utf8'));
  return links;
}

test.each(documents)('every relative link in %s has an existing target', (file) => {
  for (const link of linksOf(file)) {
    if (/^https?:/.test(link)) continue;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : normalize(join(dirname(file), path));
    expect(existsSync(target), link).toBe(true);
    if (anchor === undefined) continue;
    if (target === 'openapi/openapi.yaml') expect(isOperationId(anchor), link).toBe(true);
    else expect(anchorsOf(target), link).toContain(anchor);
  }
});

test.each(documents)('every path, npm script and setting that %s names exists', (file) => {
  const text = readFileSync(file, 'utf8');
  // Recipes name the files of an invented resource. `generated/client.js` is written for contracts that need it.
  for (const [, path = ''] of text.matchAll(
    /`((?:server|scripts|test|openapi|client|generated)\/[\w/.@,{}*-]+)`/g,
  ))
    if (!/teams|generated\/client/.test(path)) expect(globSync(path), path).not.toEqual([]);
  for (const [, name = ''] of text.matchAll(/npm run (?:-s |--silent )?([\w:]+)/g))
    expect(scripts, name).toHaveProperty([name]);
  for (const [name] of text.matchAll(/\bPARLEY_[A-Z_]+\b/g))
    if (!inboxServer.includes(`process.env.${name}`)) expect(settings, name).toContain(name);
});

const scripts = Object.assign(
  {},
  ...['package.json', 'openapi/guides/inbox/package.json'].map(
    (manifest) => JSON.parse(readFileSync(manifest, 'utf8')).scripts,
  ),
);

test.each(globSync(['README.md', 'openapi/*.md', 'openapi/guides/*.md']))(
  '%s is wrapped, which does not change its page',
  async (file) => {
    const text = readFileSync(file, 'utf8');
    const wrapped = wrapMarkdown(text);
    expect(htmlOf(wrapped)).toBe(htmlOf(text));
    await expect(wrapped).toMatchFileSnapshot(
      resolve(file),
      'The lines are not wrapped. Run: npm run format',
    );
  },
);

test('wrapping at any width begins no list, heading, table or code in a paragraph', () => {
  const text = `The sum of 3 + 4 - 1 is 6. See \`a  b c\` > 2 # or | 1. Not a list, but * and - are.

- An item with [a long link text](https://example.com/path) and 20. Then
  more of it:

  \`\`\`sh
  a   command   that   stays
  \`\`\`
12) Another one <b>with</b> HTML

| a | table with cells that are longer than the width |
|---|---|
`;
  for (let width = 1; width < 60; width++) expect(htmlOf(wrapMarkdown(text, width))).toBe(htmlOf(text));
});

/** The page of a document, without differences that browsers do not show. */
const htmlOf = (text: string): string =>
  String(new Marked().parse(parseGuide(text).markdown || text)).replaceAll(/\s+/g, ' ');

const inboxServer = readFileSync('openapi/guides/inbox/server.ts', 'utf8');
const settings = Array.from(configHelp().matchAll(/\bPARLEY_[A-Z_]+\b/g), ([name]) => name);
