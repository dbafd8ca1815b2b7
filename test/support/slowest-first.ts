import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { inputsOfSlowTests } from './unchanged-tests.ts';

/** Tests that start whole programs, which can take as long as a hundred other files. */
const isSlow = ({ moduleId }: TestSpecification): boolean =>
  moduleId.includes('/test/system/') ||
  Object.keys(inputsOfSlowTests).some((file) => moduleId.endsWith(file));

/** Starts the slowest files of each project first, so that none of them runs alone at the end. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isSlow), ...own.filter((file) => !isSlow(file))];
    });
  }
}
