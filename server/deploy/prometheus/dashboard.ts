import { Histogram, Registry } from 'prom-client';
import { defineMetrics } from '../../runtime/observability/metric-definitions.ts';
import { processMetrics } from '../../runtime/observability/metrics.ts';

/*
 * Prints a dashboard for Grafana, with a graph of each metric: node server/deploy/prometheus/dashboard.ts > dashboard.json
 */

/** Values from these on are red. The alerts have the same limits. */
const limits: Readonly<Record<string, number>> = {
  parley_delivery_oldest_due_age_seconds: 60,
  parley_database_queued: 20,
  nodejs_eventloop_lag_p99_seconds: 0.2,
};

const range = '[$__rate_interval]';
const jobs = '{job=~"$job"}';

/** Returns the graphs of a metric: pairs of a legend and an expression, by what they show. */
function graphsOf(metric: object & { name: string; labelNames?: readonly string[] }) {
  const { name, labelNames = [] } = metric;
  const by = (labels: readonly string[]) => (labels.length > 0 ? ` by (${labels.join(', ')}) ` : '');
  const legend = labelNames.map((label) => `{{${label}}}`).join(' ');
  if (metric instanceof Histogram)
    return [0.5, 0.99].map((share) => ({
      title: `, ${share * 100}th percentile`,
      legend,
      expr: `histogram_quantile(${share}, sum${by(['le', ...labelNames])}(rate(${name}_bucket${jobs}${range})))`,
    }));
  if (!name.endsWith('_total'))
    return labelNames.length > 0
      ? [{ title: '', legend, expr: `count${by(labelNames)}(${name}${jobs})` }]
      : [{ title: '', legend: '{{instance}}', expr: `${name}${jobs}` }];
  if (name.endsWith('_seconds_total'))
    return [{ title: '', legend: '{{instance}}', expr: `rate(${name}${jobs}${range})` }];
  if (labelNames.length === 0)
    return [{ title: ' within an hour', legend: '{{instance}}', expr: `increase(${name}${jobs}[1h])` }];
  return labelNames.map((label) => ({
    title: ` per second, by ${label}`,
    legend: `{{${label}}}`,
    expr: `sum${by([label])}(rate(${name}${jobs}${range}))`,
  }));
}

const unitOf = (name: string): string =>
  name.endsWith('_seconds') ? 's' : name.endsWith('_bytes') ? 'bytes' : 'short';

/** `parley_deliveries_waiting` as `Deliveries waiting`. */
function titleOf(name: string): string {
  const words = name.replace(/^parley_|_(seconds|bytes)?(_?total)?$/g, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const registry = new Registry();
defineMetrics(registry);

const datasource = { type: 'prometheus', uid: '$source' };

/** Size of a graph, and graphs per row, in the grid of Grafana, which has 24 columns. */
const size = { w: 8, h: 8 };
const perRow = 3;

const panels = [...registry.getMetricsAsArray(), ...processMetrics.map((name) => ({ name }))]
  .flatMap((metric) => graphsOf(metric).map((graph) => ({ metric, ...graph })))
  .map(({ metric, title, legend, expr }, index) => ({
    id: index + 1,
    type: 'timeseries',
    title: titleOf(metric.name) + title,
    description: Reflect.get(metric, 'help'),
    gridPos: {
      x: size.w * (index % perRow),
      y: size.h * Math.floor(index / perRow),
      ...size,
    },
    datasource,
    fieldConfig: {
      defaults: {
        unit: unitOf(metric.name),
        min: 0,
        thresholds: { mode: 'absolute', steps: stepsOf(limits[metric.name]) },
      },
      overrides: [],
    },
    targets: [{ refId: 'A', expr, legendFormat: legend }],
  }));

function stepsOf(limit: number | undefined): object[] {
  const green = { color: 'green', value: null };
  return limit === undefined ? [green] : [green, { color: 'red', value: limit }];
}

/** The dashboard, as Grafana imports it. */
export const dashboard = {
  title: 'Parley',
  uid: 'parley',
  schemaVersion: 39,
  tags: ['parley'],
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [
      { name: 'source', label: 'Data source', type: 'datasource', query: 'prometheus' },
      {
        ...{ name: 'job', label: 'Job', type: 'query', datasource, regex: '/parley.*/', refresh: 2 },
        query: { query: 'label_values(up, job)', refId: 'jobs' },
        ...{ includeAll: true, multi: true, current: { text: 'All', value: '$__all' } },
      },
    ],
  },
  panels,
};

if (import.meta.main) process.stdout.write(`${JSON.stringify(dashboard, null, 2)}\n`);
