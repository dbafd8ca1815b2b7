import { type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type MetricData,
} from '@opentelemetry/sdk-metrics';

type Labels = Partial<Record<string, string | number>>;

/** A metric as prom-client's `getMetricsAsJSON` returns it. */
export interface PrometheusMetric {
  name: string;
  help: string;
  /** `counter`, `gauge` or `histogram`. The types of prom-client say that it is a number. */
  type: unknown;
  values: { value: number; labels: Labels; metricName?: string }[];
}

/**
 * Converts metrics from the form of Prometheus to that of OpenTelemetry. Counters become monotonic sums, and the
 * cumulative buckets of histograms become separate ones.
 * @param startTime the start of the process
 * @param endTime the time at which the values were read
 */
export function toMetricData(
  metrics: readonly PrometheusMetric[],
  startTime: HrTime,
  endTime: HrTime,
): MetricData[] {
  return metrics.map(({ name, help, type, values }) => {
    const descriptor = { name, description: help, unit: '', valueType: ValueType.DOUBLE };
    const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
    const point = <T>(attributes: Labels, value: T): DataPoint<T> => ({
      startTime,
      endTime,
      attributes,
      value,
    });
    if (type === 'histogram') {
      const dataPoints = groupByLabels(values).map(({ labels, parts }) => point(labels, toHistogram(parts)));
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints };
    }
    const dataPoints = values.map(({ labels, value }) => point(labels, value));
    return type === 'counter'
      ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
      : { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
  });
}

type Value = PrometheusMetric['values'][number];

/** Groups the buckets, sums and counts of a histogram by their labels other than `le`. */
function groupByLabels(values: readonly Value[]): { labels: Labels; parts: Value[] }[] {
  const groups = new Map<string, { labels: Labels; parts: Value[] }>();
  for (const value of values) {
    const { le: _le, ...labels } = value.labels;
    const key = JSON.stringify(Object.entries(labels).sort());
    const group = groups.get(key) ?? { labels, parts: [] };
    group.parts.push(value);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function toHistogram(parts: readonly Value[]) {
  const ending = (suffix: string) => parts.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0;
  const buckets = parts.filter(({ labels }) => labels.le !== undefined);
  const boundaries = buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite);
  const cumulative = [...buckets.slice(0, boundaries.length).map(({ value }) => value), ending('_count')];
  return {
    buckets: { boundaries, counts: cumulative.map((count, index) => count - (cumulative[index - 1] ?? 0)) },
    sum: ending('_sum'),
    count: ending('_count'),
  };
}
