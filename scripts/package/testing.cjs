// Jest replaces `require` by one that cannot load ES modules, but not the one that Node creates.
const { createRequire } = process.getBuiltinModule('node:module');

module.exports = createRequire(__filename)('./testing.js');
