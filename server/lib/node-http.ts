/**
 * Node's HTTP without what else it has. An `import` of `node:http` asks it for everything at once, a client of WebSockets
 * among it, which takes a twentieth of the start and of the memory.
 */
export const { createServer, request, STATUS_CODES, validateHeaderValue } =
  process.getBuiltinModule('node:http');
