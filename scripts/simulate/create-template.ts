import { createPrng } from '../lib/prng.ts';
import { createCompany, type SimulatedCompany } from './create-company.ts';
import { useScheduler } from './environment.ts';
import { companyCount } from './plan.ts';
import { createScheduler } from './scheduler.ts';
import { startServiceProcess } from './service-process.ts';

/** A database with companies, of which each simulation gets a copy. */
export interface Template {
  file: string;
  companies: SimulatedCompany[];
}

/** Creates the template at a path. It is the same each time. */
export async function createTemplate(file: string): Promise<Template> {
  const scheduler = createScheduler(createPrng(1), 0);
  useScheduler(scheduler);
  const actor = scheduler.addActor('setup');
  let isMade = false;
  const making = scheduler.start(actor, async () => {
    const { store, handle, stop } = await startServiceProcess(actor, file, undefined, () => {});
    const companies: SimulatedCompany[] = [];
    for (let index = 1; index <= companyCount; index += 1)
      companies.push(
        await createCompany(store, handle, (number) => `https://receiver-${index}-${number}.example.com/`),
      );
    await stop();
    return companies;
  });
  void making.finally(() => {
    isMade = true;
  });
  await scheduler.drive(() => isMade);
  useScheduler(undefined);
  return { file, companies: await making };
}
