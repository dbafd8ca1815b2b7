/**
 * The parts of `node:http` that the service uses. An `import` would load the whole module, including a WebSocket
 * client, and take 5 % of startup time and memory.
 */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');
