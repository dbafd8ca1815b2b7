import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import express from 'express';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildSite } from '../../../../scripts/contract/docs/site.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { writeFiles } from '../../../support/documents.ts';
import { startListening } from '../../../support/start-listening.ts';
import { type Attack, attackedDocument, bookDocument, withRichParts } from '../hostile-document.ts';
import { startBrowser, watchedPage } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

/** Links that browsers parse as `javascript:`, or that must not be links for another reason. */
const scriptLinks = [
  ...['[l](javascript:ran())', '[l](javascript&colon;ran())', '[l](java&Tab;script:ran())'],
  ...['[l](java&NewLine;script:ran())', '[l](&#106;avascript:ran())', '[l](javascript&#58;ran())'],
  ...['[l](javascript&#x3A;ran())', '[l](&#1;javascript:ran())', '[l](<  JAVASCRIPT:ran()>)'],
  ...['<javascript:ran()>', '[l](vbscript:ran())', '[l](data:text/html,<script>ran()</script>)'],
  ...['[l](file:///etc/passwd)', '[l][r]\n\n[r]: javascript&colon;ran()\n\n'],
];

/** The ways out of each place: payloads by kind. @param elsewhere URL of another origin */
const attacks: Record<string, (elsewhere: string) => Attack> = {
  'HTML elements': () => (text) =>
    `${text}'"><img src=x onerror=ran()><script>ran()</script><svg/onload=ran()>\n\n\`\`\`js'"><img/src=x/onerror=ran()>\ncode\n\`\`\`\n`,
  'double quotes': () => (text) => `${text}" onmouseover="ran()" autofocus onfocus="ran()" x="`,
  'single quotes': () => (text) => `${text}' onmouseover='ran()' autofocus onfocus='ran()' x='`,
  'ends of scripts and comments': () => (text) =>
    `${text}</script></style></title></textarea><script>ran()</script>--><script>ran()</script>]]>*/ran();//`,
  'ends of JavaScript strings': () => (text) =>
    `${text}\${ran()}\`+ran()+'+ran()+"+ran()+"\u2028ran()\u2029ran()\nran()//\\`,
  'links in Markdown': () => (text) => `${text} ${scriptLinks.join(' ')}`,
  'URLs with other schemes': () => (text) =>
    /^(https?:|ada@)/.test(text) ? `javascript:ran()//${text}` : `${text} javascript:ran()`,
  'content of other origins': (elsewhere) => (text) =>
    `${text} ![i](${elsewhere}) <img src="${elsewhere}"> <link rel=stylesheet href="${elsewhere}"> <iframe src="${elsewhere}"></iframe> <style>@import url(${elsewhere})</style> <base href="${elsewhere}">`,
};

/** Kinds that would hide others. */
const own = ['HTML elements', 'links in Markdown', 'URLs with other schemes'];

/**
 * The kinds that each document contains. Payloads that follow a string are together in one document, because none hides
 * another: what ends the place of a string first runs, or is an error of the page.
 */
const documents: string[][] = [
  Object.keys(attacks).filter((kind) => !own.includes(kind)),
  ['HTML elements', 'links in Markdown'],
  ['URLs with other schemes'],
];

const guide = (attack: Attack): string => {
  const line = attack('Guide').replaceAll(/[`\n\u2028\u2029]+/g, ' ');
  return `---\norder: 1\nsummary: ${JSON.stringify(attack('Summary'))}\ngroup: ${JSON.stringify(attack('Group'))}\n---
# ${line}\n\n## ${line}\n\n## ${line}\n\n${attack('Text')}\n\n| ${line} |\n|---|\n| ${line} |\n\n- ${line}\n
\`\`\`${line}\n${attack('Code')}\n\`\`\`\n\n\`${line}\`\n`;
};

test.each(documents.map((kinds) => ({ kinds, names: kinds.join(', ') })))(
  'no page of the portal runs or loads what the strings of a document contain: $names',
  async ({ kinds }) => {
    const leaks: string[] = [];
    const elsewhere = await startListening((req, res) => {
      leaks.push(req.url ?? '');
      res.end();
    });
    const attack: Attack = (text) =>
      kinds.reduce((attacked, kind) => attacks[kind]?.(`${elsewhere}/leak`)(attacked) ?? attacked, text);
    const markdown = guide(attack).replace(/^---.*?---\n/s, '');
    const api = await writeFiles({
      'openapi.json': JSON.stringify(attackedDocument(withRichParts(bookDocument), attack)),
      'guides/guide.md': guide(attack),
      'CHANGELOG.md': markdown,
      'decisions.md': markdown,
    });
    const out = join(dirname(api), 'docs');
    await buildSite({ api, out, mock: elsewhere, config: withDefaults({}) });
    const base = await startListening(express().use(express.static(out)));

    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    onTestFinished(() => context.close());
    await context.addInitScript(() => {
      Object.assign(window, { runs: 0, ran: () => Object.assign(window, { runs: 1 }) });
    });
    const operations = globSync('reference/*.html', { cwd: out }).map((file) => file.replace('.html', ''));
    expect(operations.length).toBeGreaterThan(2);
    const pages = ['index', '404', 'reference', 'guides/guide', 'changelog', 'decisions', ...operations];
    // One page, because a new one compiles all scripts again.
    const { page, errors } = await watchedPage(context, () => true);
    for (const name of pages) {
      await page.goto(`${base}/${name}.html`);
      // The search has the same script and entries on every page. Links differ with the depth of the page.
      if (['index', operations[0]].includes(name)) await useSearch(page);
      expect(await unsafeParts(page), name).toEqual([]);
      expect(errors, name).toEqual([]);
      // The browser reports the script that it did not run.
      const [ran] = await Promise.all([runsInlineScript(page), page.waitForEvent('console')]);
      expect(ran, name).toBe(false);
      errors.length = 0;
    }
    expect(leaks).toEqual([]);
  },
);

async function useSearch(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).click();
  const dialog = page.locator('dialog#search');
  await dialog.locator('input').fill('rich');
  await dialog.getByRole('link').first().waitFor();
}

/** Returns what a page must not contain: code that has run, handlers, frames, and links with other schemes. */
const unsafeParts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const elements = Array.from(globalThis.document.querySelectorAll('*'));
    return [
      ...(Reflect.get(window, 'runs') === 0 ? [] : ['code has run']),
      ...elements.flatMap((element) => element.getAttributeNames().filter((each) => /^on/i.test(each))),
      ...elements.filter(({ tagName }) => /^(iframe|object|embed|base)$/i.test(tagName)).map(String),
      ...elements
        .filter((element) => element instanceof HTMLScriptElement && !element.src.startsWith(location.origin))
        .map(({ outerHTML }) => outerHTML),
      ...elements.flatMap((element) =>
        element instanceof HTMLAnchorElement &&
        element.getAttribute('href') &&
        // An invalid URL has the protocol `:`.
        !['http:', 'https:', 'mailto:', ':'].includes(element.protocol)
          ? [element.href]
          : [],
      ),
    ];
  });

/** Whether a page runs a script that an attack has added in spite of all escaping. */
const runsInlineScript = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const script = globalThis.document.createElement('script');
    script.textContent = 'ran()';
    globalThis.document.body.append(script);
    return Reflect.get(window, 'runs') !== 0;
  });
