const { contract, rejected } = require('parley-contract-runtime');
const { contract: compiled } = require('./generated/contract.cjs');
const { isToken } = require('./tokens.js');

exports.validation = contract(compiled, {
  unreadBodies: ['importFiles', 'putArchive'],
  authenticate: async ({ headers }) => {
    if (!isToken(headers['x-token'])) throw rejected('tokenUnknown');
    return { scopes: new Set(), headers: {} };
  },
});
