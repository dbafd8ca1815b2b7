import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { createSamples } from '../../../../scripts/contract/docs/reference/samples.ts';
import { shellQuoted } from '../../../../scripts/lib/shell-text.ts';
import { toCurl } from '../../../../scripts/testing/requests/serialize.ts';
import { loadDocument } from '../../../support/documents.ts';
import { hasProgram } from '../../../support/installed-programs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { attackedDocument, withRichParts } from '../hostile-document.ts';

/** Ends quotes of all kinds, runs commands, and moves the cursor of a terminal. */
const payload = `'"\`touch ran\`$(touch ran)\${ran()}\\';touch ran;ran();'\n touch ran\r!!\u0015\u001b[201~\u009b2J\u2028\u202eäöü😀\\`;

const target = { url: 'http://service.example', token: 'token' };

async function hostileSamples() {
  const hostile = attackedDocument(withRichParts(document), (text) => text + payload);
  const contract = await loadDocument(hostile);
  const samplesOf = createSamples(contract, { variable: 'client' }, target);
  return contract.operations.map((operation) => {
    const { method, path } = operation;
    const { samples, request } = samplesOf(operation);
    const codes = Object.fromEntries(samples.map(({ label, text }) => [label, text]));
    return { method, path, request, codes };
  });
}

/** Returns the samples of operations whose request is known: all but forms with files. */
async function samplesOfRequests() {
  const samples = await hostileSamples();
  const known = samples.flatMap(({ request, codes }) => (request ? [{ request, codes }] : []));
  expect(known.length).toBeGreaterThan(5);
  return known;
}

/** Runs a command in Bash, in a folder whose only program is a `curl` that prints its arguments. */
async function runInBash(command: string): Promise<string[][]> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'bin'));
  const curl = join(folder, 'bin/curl');
  await writeFile(curl, '#!/bin/bash\nprintf "%s\\0" "$#" "$@"\n');
  await chmod(curl, 0o755);
  const env = { PATH: join(folder, 'bin'), LC_ALL: 'C.UTF-8' };
  const { stdout, stderr } = await promisify(execFile)('/bin/bash', ['--norc', '-c', command], {
    cwd: folder,
    env,
  });
  expect([stderr, await readdir(folder)], command).toEqual(['', ['bin']]);
  const words = stdout.split('\0');
  const calls: string[][] = [];
  for (let at = 0; at < words.length - 1; at += Number(words[at]) + 1)
    calls.push(words.slice(at + 1, at + 1 + Number(words[at])));
  return calls;
}

test('a curl sample runs only curl, with the literal texts of the document', async () => {
  const samples = await samplesOfRequests();
  const commands = samples.map(({ codes }) => codes.curl);
  for (const command of commands) expect(command).not.toMatch(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/u);
  const calls = await runInBash(commands.join('\n'));
  expect(calls).toEqual(
    samples.map(({ request }) => [
      '--fail-with-body',
      request.url,
      ...(request.method === 'GET' ? [] : ['--request', request.method]),
      ...request.headers.flatMap(({ name, value }) => ['--header', `${name}: ${value}`]),
      ...(request.body === undefined ? [] : ['--data-binary', expect.stringMatching(/^[{"[]/)]),
    ]),
  );
  const bodies = samples.flatMap(({ request }, at) =>
    request.body ? [[request.body, calls[at]?.at(-1)]] : [],
  );
  for (const [body = '', sent = ''] of bodies) expect(JSON.parse(sent)).toEqual(JSON.parse(body));
});

/** Returns a sample in TypeScript without the lines that create the client. */
const withoutSetup = (code = ''): string => code.replace(/^.*?\n\n/s, '');

test('a TypeScript sample passes the literal texts of the document, and runs nothing else', async () => {
  for (const { method, path, codes } of await hostileSamples()) {
    const calls: unknown[] = [];
    const record = (...given: unknown[]) => {
      calls.push(given[0]);
      return {};
    };
    const { outputText } = ts.transpileModule(`async () => {${withoutSetup(codes.TypeScript)}}`, {
      compilerOptions: { target: ts.ScriptTarget.ESNext },
    });
    const run: unknown = runInNewContext(outputText, {
      client: { [method.toUpperCase()]: record },
      ran: () => calls.push('ran'),
      console: { log: () => {} },
    });
    if (typeof run !== 'function') throw new Error(`${codes.TypeScript} is not one statement.`);
    await run();
    expect(calls).toEqual([path]);
  }
});

/** Runs a program, and returns what it prints as JSON. */
async function runProgram(command: string, args: readonly string[]): Promise<unknown> {
  const cwd = await temporaryFolder();
  const { stdout } = await promisify(execFile)(command, args, { cwd });
  expect(await readdir(cwd), args.join(' ')).toEqual([]);
  return JSON.parse(stdout);
}

const python = `
import json, sys, types
calls = []
class Response:
    status_code = 200
    text = ''
    def raise_for_status(self): pass
def called(method):
    return lambda url, headers={}, json=None: calls.append([method, url, headers, json]) or Response()
sys.modules['requests'] = types.SimpleNamespace(**{each: called(each.upper()) for each in ('get', 'post', 'put', 'patch', 'delete')})
print_json, print = print, lambda *_: None
`;

const php = `<?php
foreach (['CURLOPT_POST', 'CURLOPT_CUSTOMREQUEST', 'CURLOPT_HTTPHEADER', 'CURLOPT_POSTFIELDS', 'CURLOPT_RETURNTRANSFER', 'CURLINFO_RESPONSE_CODE'] as $name) define($name, $name);
$calls = [];
function curl_init($url) { return (object) ['url' => $url, 'options' => []]; }
function curl_setopt($ch, $name, $value) { $ch->options[$name] = $value; }
function curl_exec($ch) { global $calls; $calls[] = $ch; return ''; }
function curl_getinfo($ch, $name) { global $status; return $status; }
`;

test.runIf(hasProgram('python3'))(
  'samples in Python send the literal request of the document, and run nothing else',
  async () => {
    const samples = await samplesOfRequests();
    const inPython = `${python}\n${samples.map(({ codes }) => codes.Python).join('\n')}\nprint_json(json.dumps(calls))`;
    expect(await runProgram('python3', ['-c', inPython])).toEqual(
      samples.map(({ request }) => [
        request.method,
        request.url,
        Object.fromEntries(request.headers.map(({ name, value }) => [name, value])),
        request.body === undefined ? null : JSON.parse(request.body),
      ]),
    );
  },
);

test.runIf(hasProgram('php'))(
  'samples in PHP send the literal request of the document, and run nothing else',
  async () => {
    const samples = await samplesOfRequests();
    const bodies = samples.map(({ codes }) => codes.PHP?.replace(/^<\?php/, ''));
    const inPhp = (status: number) =>
      `$status = ${status};${php.replace('<?php', '')}\n${bodies.join('\n')}\necho json_encode($calls);`;
    await expect(runProgram('php', ['-r', inPhp(422)])).rejects.toThrow('422: ');
    expect(await runProgram('php', ['-r', inPhp(200)])).toEqual(
      samples.map(({ request }) => ({
        url: request.url,
        options: expect.objectContaining({
          CURLOPT_HTTPHEADER: request.headers.map(({ name, value }) => `${name}: ${value}`),
          ...(request.body === undefined ? {} : { CURLOPT_POSTFIELDS: request.body }),
        }),
      })),
    );
  },
);

test('quoted text is one literal argument in Bash', async () => {
  const special = ['', 'a b', "it's", '\0', '\u{e0001}', '-n', '~', '*', '{a,b}', '\ud800', 'a\tb\u007f'];
  const texts = [payload, ...special];
  const [args] = await runInBash(`curl ${texts.map(shellQuoted).join(' ')}`);
  expect(args).toEqual(texts.map((text) => text.toWellFormed().replaceAll('\0', '\ufffd')));
  for (const text of texts) expect(shellQuoted(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

test('a curl command of a finding runs only curl, with any names of headers, and any target', async () => {
  const names = ['X-`touch`', "X-$(touch)'", 'Authorization'];
  const command = toCurl(
    'http://service.example/$(touch ran)',
    {
      method: 'POST',
      target: "/a$(touch ran)'?q'`touch ran`=1&key$(touch ran)'=s",
      headers: Object.fromEntries(names.map((name) => [name, payload])),
      body: payload,
    },
    [...names.slice(0, 2), "key$(touch ran)'"],
  );
  const [args = []] = await runInBash(command);
  expect(args.filter((_arg, at) => args[at - 1] === '-H')).toEqual([
    'X-`touch`: ',
    "X-$(touch)': ",
    `Authorization: ${payload}`,
  ]);
  expect(args[args.indexOf('--data-binary') + 1]).toBe(payload);
  expect(args.at(-1)).toBe(
    "http://service.example/$(touch ran)/a$(touch ran)'?q'`touch ran`=1&key$(touch ran)'=",
  );
});
