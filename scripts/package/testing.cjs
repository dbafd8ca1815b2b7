const Module = require('node:module');

// Jest replaces `require` and `createRequire` by ones that cannot load ES modules. Its class `Module` extends that of Node.
const { createRequire = Module.createRequire } = Object.getPrototypeOf(Module);

module.exports = createRequire(__filename)('./testing.js');
