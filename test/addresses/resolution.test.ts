import { expect, test } from 'vitest';
import { strictest } from '../../server/addresses/policy.ts';
import { forbiddenAddress, resolveByDns } from '../../server/addresses/resolution.ts';

test('a host that is an address is not looked up', async () => {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return [];
  };
  for (const url of ['https://8.8.8.8/', 'https://[2606:4700::1]/', 'https://127.1/', 'https://localhost/'])
    await forbiddenAddress(url, strictest, resolve);
  expect(asked).toEqual([]);
  await forbiddenAddress('https://Hooks.Example.com./x', strictest, resolve);
  expect(asked).toEqual(['hooks.example.com']);
});

test('one address that is not public among many is enough', async () => {
  const resolve = async () => ['93.184.215.14', '2606:4700::1', '10.0.0.1'];
  expect(await forbiddenAddress('https://a.example.com/', strictest, resolve)).toContain('not public');
});

test('a name that name servers do not know resolves to nothing, within seconds', async () => {
  expect(await resolveByDns('does-not-exist.invalid')).toEqual([]);
});
