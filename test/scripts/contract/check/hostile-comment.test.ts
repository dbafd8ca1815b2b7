import { symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { Marked, type Token } from 'marked';
import { expect, test } from 'vitest';
import { commentMarker } from '../../../../scripts/contract/check/reports/markdown.ts';
import { runCommand } from '../../../support/run-command.ts';
import { startListening } from '../../../support/start-listening.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Posts a report, which code of a pull request has written. @returns the comment; undefined if nothing was sent */
async function post(write: (file: string) => Promise<void>) {
  const sent: { body: string }[] = [];
  const api = await startListening(
    createServer(async (req, res) => {
      const body = await readAll(req);
      if (req.method === 'POST') sent.push(JSON.parse(body));
      res.setHeader('Content-Type', 'application/json').end('[]');
    }),
  );
  const file = join(await temporaryFolder(), 'report.md');
  await write(file);
  const { err } = await runCommand(['comment', file, '--pull-request', '7'], {
    env: { GITHUB_REPOSITORY: 'o/r', GITHUB_TOKEN: 't', GITHUB_API_URL: api },
  });
  return { comment: sent[0]?.body, err };
}

const attacks = [
  '@team @<b>team &#64;team &commat;team \\@team `@team` <!-- -->@team',
  '#12 GH-12 gh-12 org/repo#12 &#35;12 !12',
  '[l](https://evil.invalid) [l](<//evil.invalid>) [l][r] [r]\n\n[r]: //evil.invalid\n[r]: evil "t"',
  '![i](https://evil.invalid/i.png) ![i][r] ![r]\n\n[r]:\n  //evil.invalid',
  'https://evil.invalid HTTP://evil.invalid www.evil.invalid <https://evil.invalid> <a@evil.invalid> a@evil.invalid',
  '<img src=//evil.invalid/i.png> <a href="//evil.invalid">x</a>\n<details>\n\n<!-- hidden\n',
  '<!-- --><img src=//evil.invalid> <br onload=x> <BR/><picture><?x ?><![CDATA[x]]>',
  '```mermaid\ngraph\n```\n~~~ geojson\n{}\n~~~\n````  math\nx\n````',
  '\u001b[2J\u202e@\u200bteam\r@team\u2028',
];

test.each(attacks)(
  'comments a report without mentions, references, links, images and HTML: %j',
  async (text) => {
    const { comment = '' } = await post((file) =>
      writeFile(file, `${commentMarker}\n${text}\n- item ${text}\n`),
    );
    expect(comment.startsWith(`${commentMarker}\n`)).toBe(true);
    const found: string[] = [];
    new Marked({ gfm: true }).walkTokens(new Marked({ gfm: true }).lexer(comment), (token: Token) => {
      if (['link', 'image', 'def'].includes(token.type)) found.push(token.raw);
      if (token.type === 'html') found.push(...token.raw.matchAll(/<[a-z/!?][^>]*>?/gi).map(String));
      if (token.type === 'code' && token.lang) found.push(token.lang.replace(/^\u200b.*/, ''));
    });
    expect(found.filter((each) => !['', '<br>', '<!-- -->', commentMarker].includes(each))).toEqual([]);
    expect(comment).not.toMatch(/@\w|#\d|GH-\d|&#|&commat|:\/\/|www\./i);
    expect(comment.replaceAll('\u200b', '').match(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu)).toBeNull();
  },
);

test('comments a report of check unchanged, cut to what GitHub accepts', async () => {
  const report = `${commentMarker}\n## Contract check: changes has failed\n\n- ❌ **a/b** \`x.yaml:3\`<br>a &lt;b&gt; @<!-- -->team<br>→ \\[fix\\]\n\n  \`\`\`\n  GET /x\n  \`\`\`\n`;
  expect(await post((file) => writeFile(file, report))).toMatchObject({ comment: report });
  const { comment } = await post((file) => writeFile(file, `${commentMarker}\n${'a\n'.repeat(50_000)}`));
  expect(comment).toHaveLength(65_536);
});

test('comments no other files: of another kind, through a symbolic link, or too large', async () => {
  const posted = await Promise.all([
    post((file) => writeFile(file, 'GITHUB_TOKEN=secret\n')),
    post((file) => writeFile(file, `${commentMarker}${'a'.repeat(300_000)}`)),
    post(async (file) => {
      await writeFile(`${file}.secret`, `${commentMarker}\nsecret\n`);
      await symlink(`${file}.secret`, file);
    }),
  ]);
  expect(posted.map(({ comment }) => comment)).toEqual([undefined, undefined, undefined]);
  expect(posted.map(({ err }) => err).join()).toMatch(/not a report.*larger than.*not a regular file/s);
});
