import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSourceMap } from '../../../scripts/contract/load/source-map.ts';
import { createHttpServer } from '../../../server/http/server.ts';
import { startListening } from '../../support/start-listening.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { costSlope } from './cost-slope.ts';
import { bodyCases, requestCases } from './hostile-requests.ts';
import { createPipelineRun } from './pipeline-requests.ts';
import { textCases } from './text-parsers.ts';

/** The cost of a linear function grows with the power 1. The rest is tolerance for garbage collection and caches. A quadratic one has 2. */
const maxSlope = 1.3;

/** Other processes share the caches, which adds to the cost of the large input. A quadratic cost is as large each time. */
const measuredAgain = { retry: 3 };

async function expectLinear<Input>(
  largest: number,
  make: (size: number) => Input,
  run: (input: Input) => unknown,
): Promise<void> {
  expect(await costSlope(largest, make, run, maxSlope)).toBeLessThanOrEqual(maxSlope);
}

const runRequest = createPipelineRun();

test.each(requestCases)(
  'a request with $what costs linear time',
  measuredAgain,
  async ({ largest, make }) => {
    await expectLinear(largest, make, runRequest);
  },
);

test.each(bodyCases)('a body with $what costs linear time', measuredAgain, async ({ largest, make }) => {
  await expectLinear(largest, make, runRequest);
});

test.each(textCases)(
  '$parser costs linear time for $what',
  measuredAgain,
  async ({ largest, make, parse }) => {
    await expectLinear(largest, make, parse);
  },
);

test('locating a part of a document with many properties costs linear time', measuredAgain, async () => {
  const folder = await temporaryFolder();
  await expectLinear(
    16_000,
    (count) => {
      const file = join(folder, `${count}.json`);
      writeFileSync(
        file,
        JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 1]))),
      );
      return file;
    },
    (file) => createSourceMap(file).locate('/last'),
  );
});

test('pipelined requests of a connection cost linear time', measuredAgain, async () => {
  const server = createHttpServer((_req, res) => void res.end());
  const { port } = new URL(await startListening(server));
  await expectLinear(
    1_600,
    (count) => count,
    async (count) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
      let responses = 0;
      for await (const chunk of socket.setEncoding('latin1')) {
        responses += String(chunk).split('\r\nConnection: ').length - 1;
        if (responses >= count) break;
      }
    },
  );
});
