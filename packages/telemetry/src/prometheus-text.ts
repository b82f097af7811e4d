/** Families of metrics → Prometheus's text format 0.0.4, by OpenTelemetry's own serializer. */
import { ValueType } from '@opentelemetry/api'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import type { Family } from './metrics.ts'

/** For `Content-Type`. */
export const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8'

const NO_TIME: [number, number] = [0, 0]
const SPAN = { startTime: NO_TIME, endTime: NO_TIME }
const totalOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

const toMetricData = (family: Family): MetricData => {
  const { name, help } = family
  const shared = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  switch (family.kind) {
    case 'histogram':
      return {
        ...shared,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: family.points.map(({ labels, counts, sum }) => ({
          ...SPAN,
          attributes: labels,
          value: {
            buckets: { boundaries: [...family.bounds], counts: [...counts] },
            ...{ sum, count: totalOf(counts) },
          },
        })),
      }
    case 'counter':
    case 'gauge': {
      const dataPoints = family.points.map(({ labels, value }) => ({ ...SPAN, attributes: labels, value }))
      return family.kind === 'counter'
        ? { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
        : { ...shared, dataPointType: DataPointType.GAUGE, dataPoints }
    }
  }
}

/** No timestamps, and only labels of the metrics themselves: Prometheus knows when and whom it asked. */
export const toPrometheusText = (service: string, families: readonly Family[]): string => {
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
  const metrics = families.map(toMetricData)
  return `${serializer
    .serialize({
      resource: resourceFromAttributes({ 'service.name': service }),
      scopeMetrics: [{ scope: { name: 'merx' }, metrics }],
    })
    .trimEnd()}\n`
}
