import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Deployment } from 'kubernetes-models/apps/v1';
import { CronJob } from 'kubernetes-models/batch/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import document from '../../generated/openapi.json' with { type: 'json' };
import { variables } from '../../server/runtime/config/variables.ts';
import { hasProgram } from '../support/installed-programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { version } = document.info;
const settings = Object.values(variables).map(({ name }) => name);

interface Container {
  command: string[];
  image: string;
  env: { name: string }[];
  envFrom: { configMapRef: { name: string } }[];
  ports?: { name: string }[];
  [probe: string]: unknown;
}
interface PodTemplate {
  spec: { containers: Container[] };
}
interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  data?: Record<string, string>;
  spec?: { template?: PodTemplate; jobTemplate?: { spec: { template: PodTemplate } } };
}

const models: Record<string, new (given: never) => { validate: () => void }> = {
  ConfigMap,
  CronJob,
  Deployment,
  PodDisruptionBudget,
  Service,
};

function validateResource({ apiVersion: _version, kind, ...given }: Resource): void {
  const Model = models[kind];
  if (!Model) throw new Error(`${kind} is not known here.`);
  new Model(given as never).validate();
}

/** Renders a Kustomize folder as `kubectl apply --kustomize` does. */
async function render(folder: string): Promise<Resource[]> {
  const { stdout } = await promisify(execFile)('kubectl', ['kustomize', folder]);
  return parseAllDocuments(stdout).map((each) => each.toJS());
}

const containersOf = (resources: readonly Resource[]): Container[] =>
  resources
    .flatMap(({ spec }) => spec?.template ?? spec?.jobTemplate?.spec.template ?? [])
    .flatMap(({ spec }) => spec.containers);

const settingsOf = (resources: readonly Resource[]): Resource | undefined =>
  resources.find(({ kind }) => kind === 'ConfigMap');

const base = 'server/deploy/kubernetes';

describe.skipIf(!hasProgram('kubectl'))('Kubernetes', () => {
  test('each rendered resource matches the schema of its kind', async () => {
    const resources = await render(base);
    expect(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      expect.stringMatching(/^ConfigMap parley-\w+$/),
      'CronJob parley-migrate',
      'Deployment parley-api',
      'Deployment parley-worker',
      'PodDisruptionBudget parley-api',
      'Service parley-api',
    ]);
    for (const resource of resources) validateResource(resource);
    const broken = structuredClone(resources.find(({ kind }) => kind === 'Deployment'));
    Object.assign(broken?.spec?.template?.spec.containers[0] ?? {}, { ports: [{ containerPort: 'many' }] });
    expect(() => validateResource(broken as Resource)).toThrow(/containerPort/);
  });

  test('containers use existing programs, probe paths and settings', async () => {
    const resources = await render(base);
    const containers = containersOf(resources);
    expect(containers.map(({ command }) => command.join(' ')).sort()).toEqual([
      'node server/main.ts',
      'node server/operator/main.ts migrate',
      'node server/worker.ts',
    ]);
    const map = settingsOf(resources);
    for (const name of Object.keys(map?.data ?? {})) expect(settings, name).toContain(name);
    for (const container of containers) {
      expect(existsSync(container.command[1] ?? ''), container.command[1]).toBe(true);
      expect(container.envFrom).toEqual([{ configMapRef: { name: map?.metadata.name } }]);
      for (const { name } of container.env) expect(settings, name).toContain(name);
      expect(container.image).toBe(`registry.example.com/parley:${version}`);
      const probes = Object.entries(container).filter(([name]) => name.endsWith('Probe')) as [
        string,
        { httpGet: { path: string; port: string } },
      ][];
      if (container.ports)
        expect(probes.map(([name]) => name)).toEqual(
          expect.arrayContaining(['startupProbe', 'livenessProbe']),
        );
      for (const [, { httpGet }] of probes) {
        expect(['/healthz', '/readyz']).toContain(httpGet.path);
        expect(container.ports?.map(({ name }) => name)).toContain(httpGet.port);
      }
    }
  });

  test("the guide's kustomization sets namespace, image and settings of all processes", async () => {
    const folder = join(await temporaryFolder(), 'my cluster');
    await cp(base, join(folder, 'parley', base), { recursive: true });
    const [, sample = ''] =
      /^```yaml\n(.*?)^```$/ms.exec(readFileSync('openapi/guides/install.md', 'utf8')) ?? [];
    await writeFile(join(folder, 'kustomization.yaml'), sample);
    const resources = await render(folder);
    expect(new Set(resources.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['parley']));
    expect(new Set(containersOf(resources).map(({ image }) => image))).toEqual(
      new Set([`registry.example.org/tools/parley:${version}`]),
    );
    const [before, after] = [settingsOf(await render(base)), settingsOf(resources)];
    expect(after?.data).toEqual({ ...before?.data, PARLEY_TRUSTED_PROXIES: expect.any(String) });
    expect(after?.metadata.name).not.toBe(before?.metadata.name);
  });
});
