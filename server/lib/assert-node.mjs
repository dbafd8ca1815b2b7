/*
 * The first import of every entry point. It runs on old versions of Node, so it and its imports use nothing that is newer than
 * Node 14. JavaScript, because old versions cannot read TypeScript.
 */
import { readFileSync } from 'node:fs';

// The one place that holds the number. `engines` of this repository is what npm needs, which runs scripts on another Node.
const { name, engines, devEngines } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const { version } = devEngines ? devEngines.runtime : { version: engines.node };
const needed = /\d+\.\d+/.exec(version)[0];

const isOlder = (one, other) => {
  const [[major, minor], [otherMajor, otherMinor]] = [one, other].map((each) => each.split('.').map(Number));
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
};

// Packages with the program of Node, for npx and npm scripts.
const platform = process.platform === 'win32' ? 'win' : process.platform;
const { arch } = process;

if (isOlder(process.versions.node, needed))
  throw new Error(
    `${name} needs Node ${needed} or later, and this is Node ${process.versions.node} (${process.execPath}).\n  → Install a newer Node from https://nodejs.org, or for this project: npm install --save-dev node-${platform}-${arch}@24. Then run the command again.`,
  );
