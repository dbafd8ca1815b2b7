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
  const made = Promise.withResolvers<SimulatedCompany[]>();
  let isMade = false;
  scheduler.run(actor, () => {
    const making = (async () => {
      const service = await startServiceProcess(actor, file, undefined, made.reject);
      const companies: SimulatedCompany[] = [];
      for (let index = 0; index < companyCount; index += 1)
        companies.push(
          await createCompany(
            service.store,
            service.handle,
            (number) => `https://receiver-${index + 1}-${number}.example.com/`,
          ),
        );
      await service.stop();
      isMade = true;
      return companies;
    })();
    making.then(made.resolve, made.reject);
  });
  await scheduler.drive(() => isMade);
  const companies = await made.promise;
  useScheduler(undefined);
  return { file, companies };
}
