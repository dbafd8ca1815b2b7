/**
 * The parts of `node:http` that the service uses. An `import` of the module would load all of it, including a
 * WebSocket client: 5 % of startup time and memory.
 */
export const { createServer, request, STATUS_CODES, validateHeaderValue } =
  process.getBuiltinModule('node:http');
