/* The first import of every program: prints which Node it needs, without a stack trace, and exits with 1 on an older one. */
await import('./assert-node.mjs').catch(({ message }) => {
  process.stderr.write(`✘ ${message}\n`);
  process.exit(1);
});
