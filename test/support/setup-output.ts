/** Shows what tests write to standard error only if they fail, like their console output. */
process.stderr.write = (text: string | Uint8Array, ...callbacks: unknown[]) => {
  // biome-ignore lint/suspicious/noConsole: Vitest keeps the output of each test apart.
  console.error(String(text).trimEnd());
  const done = callbacks.at(-1);
  if (done instanceof Function) done();
  return true;
};
