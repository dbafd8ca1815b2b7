/**
 * The parts of `node:http` that are used. An `import` of the module would load all of it, a WebSocket client
 * included: 5 % of the start and of the memory.
 */
export const { createServer, request, STATUS_CODES, validateHeaderValue } =
  process.getBuiltinModule('node:http');
