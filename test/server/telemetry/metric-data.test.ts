import { DataPointType } from '@opentelemetry/sdk-metrics';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { toMetricData } from '../../../server/telemetry/metric-data.ts';

test('converts counters, gauges and histograms with all their labels', async () => {
  const registers = [new Registry()];
  new Counter({ name: 'c', help: 'Counts.', labelNames: ['l'], registers }).inc({ l: 'x' }, 3);
  new Gauge({ name: 'g', help: 'Now.', registers }).set(-2);
  const histogram = new Histogram({
    name: 'h',
    help: 'Times.',
    labelNames: ['l'],
    buckets: [1, 5],
    registers,
  });
  for (const value of [0.5, 1, 2, 9]) histogram.observe({ l: 'x' }, value);
  histogram.observe({ l: 'y' }, 3);
  const [counter, gauge, times] = toMetricData(
    (await registers[0]?.getMetricsAsJSON()) ?? [],
    [1, 0],
    [2, 0],
  );
  expect(counter).toMatchObject({
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    dataPoints: [{ attributes: { l: 'x' }, value: 3, startTime: [1, 0], endTime: [2, 0] }],
  });
  expect(gauge).toMatchObject({ dataPointType: DataPointType.GAUGE, dataPoints: [{ value: -2 }] });
  expect(times).toMatchObject({
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: [
      {
        attributes: { l: 'x' },
        value: { buckets: { boundaries: [1, 5], counts: [2, 1, 1] }, sum: 12.5, count: 4 },
      },
      {
        attributes: { l: 'y' },
        value: { buckets: { boundaries: [1, 5], counts: [0, 1, 0] }, sum: 3, count: 1 },
      },
    ],
  });
});
