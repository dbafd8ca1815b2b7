import { randomBytes } from 'node:crypto';
import { namesIn } from '../contract/load/read-promises.ts';
import { eventPointer } from '../contract/survive/contract-pointers.ts';
import { startReceiver } from '../contract/survive/receiver/start-receiver.ts';
import { scenariosOfReceivers, surviveReceiver } from '../contract/survive/receiver/survive-receiver.ts';
import { commandIo } from '../lib/command-io.ts';
import { shellWord } from '../lib/shell-text.ts';
import {
  assertKnown,
  commandForContract,
  listScenarios,
  reportSurvival,
  type SurviveInvocation,
} from './survive-report.ts';

/** Tests a receiver of webhooks, or lists the scenarios. @param url of the receiver @returns exit code */
export async function surviveAsReceiver(invocation: SurviveInvocation, url: string): Promise<number> {
  const { contract, promises, options, args, progress } = invocation;
  const names = namesIn(promises);
  assertKnown(scenariosOfReceivers(names), invocation);
  if (options.list) return listScenarios(scenariosOfReceivers(names), options.json);
  const { secretEnv } = options;
  const secret =
    args.length === 0
      ? secretEnv && commandIo().env[secretEnv]
      : secretEnv && `whsec_${randomBytes(24).toString('base64')}`;
  if (secretEnv !== undefined && !secret)
    throw new Error(`${secretEnv} is not set. Set it to the secret of the running receiver.`);
  const stop =
    args.length === 0
      ? undefined
      : await startReceiver(args, url, secretEnv && secret ? { [secretEnv]: secret } : {});
  try {
    const report = await surviveReceiver({
      ...{ contract, promises: names, only: options.scenario ?? [] },
      onProgress: (text) => progress.show(text),
      receiver: { url, secret, timeoutMs: (options.timeout ?? 10) * 1_000 },
    });
    return await reportSurvival(
      report,
      {
        promises,
        operations: contract.webhooks,
        locate: contract.locate,
        pointerOf: eventPointer,
        command: `${commandForContract(invocation)} --receiver ${shellWord(url)}${secretEnv === undefined ? '' : ` --secret-env ${secretEnv}`}`,
        serverUrl: undefined,
      },
      invocation,
    );
  } finally {
    stop?.();
  }
}
