import '../../server/lib/require-node.mjs';

// Imported dynamically, because Node links all static imports before it runs the first one, and old versions lack some exports.
await import('../package/command-line.ts');
