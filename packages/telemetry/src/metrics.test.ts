import { createMetrics, metricsOf, SERIES_MAX } from './metrics.ts'
import { toPrometheusText } from './prometheus-text.ts'

const textOf = async (metrics: ReturnType<typeof createMetrics>) =>
  toPrometheusText('try', await metrics.collect())

describe('metrics', () => {
  it('are what Prometheus reads: counters, gauges and histograms with their buckets', async () => {
    const metrics = createMetrics('try')
    const tokens = metrics.counter({ name: 'tokens', help: 'Tokens.', labels: ['grant', 'outcome'] })
    tokens.of('password', 'issued').add()
    tokens.of('password', 'issued').add(2)
    const sizes = metrics.histogram({ name: 'sizes', help: 'Sizes.', bounds: [1, 10] })
    for (const size of [1, 5, 10, 11]) sizes.of().record(size)
    metrics.gauge({ name: 'now', help: 'Now.', read: () => 7 })
    metrics.gauge({ name: 'each', help: 'Each.', labels: ['a'], read: async () => [[['x"\n\\'], 1]] })
    const text = await textOf(metrics)
    for (const line of [
      'target_info{service_name="try"} 1',
      '# HELP tokens_total Tokens.',
      '# TYPE tokens_total counter',
      'tokens_total{grant="password",outcome="issued"} 3',
      '# TYPE sizes histogram',
      'sizes_count 4',
      'sizes_sum 27',
      'sizes_bucket{le="1"} 1',
      'sizes_bucket{le="10"} 3',
      'sizes_bucket{le="+Inf"} 4',
      '# TYPE now gauge',
      'now 7',
      'each{a="x\\"\\n\\\\"} 1',
    ]) {
      expect(text.split('\n')).toContain(line)
    }
  })

  it('show their names before anything happened', async () => {
    const metrics = createMetrics('try')
    metrics.counter({ name: 'never', help: 'Never.', labels: ['a'] })
    expect(await textOf(metrics)).toContain('# TYPE never_total counter')
  })

  it('leave out what cannot be read, say so, and show the rest', async () => {
    const metrics = createMetrics('try')
    metrics.gauge({
      name: 'broken',
      help: 'Broken.',
      read: () => {
        throw new Error('away')
      },
    })
    metrics.gauge({ name: 'fine', help: 'Fine.', read: () => 1 })
    await metrics.collect()
    const text = await textOf(metrics)
    expect(text).toContain('fine 1')
    expect(text).toContain('merx_metrics_failures_total{metric="broken"}')
    expect(text).not.toContain('TYPE broken')
  })

  it('hold a bounded number of series, whatever is counted', async () => {
    const metrics = createMetrics('try')
    const paths = metrics.counter({ name: 'paths', help: 'Paths.', labels: ['path'] })
    for (let number = 0; number < SERIES_MAX * 2; number += 1) paths.of(`p${number}`).add()
    const family = (await metrics.collect()).find(({ name }) => name === 'paths')
    expect(family?.points).toHaveLength(SERIES_MAX + 1)
    expect(family?.points.at(-1)).toEqual({ labels: { path: 'other' }, value: SERIES_MAX })
  })

  it('refuse a name that Prometheus would not take, a name twice, and values that do not fit the labels', () => {
    const metrics = createMetrics('try')
    const counter = metrics.counter({ name: 'good_name', help: '', labels: ['a', 'b'] })
    expect(() => metrics.counter({ name: 'Bad-Name', help: '' })).toThrow('lower_snake_case; got Bad-Name')
    expect(() => metrics.counter({ name: 'good_name', help: '' })).toThrow('good_name is defined twice')
    expect(() => counter.of('only one')).toThrow('2 labels (a, b), but 1 values')
  })

  it('read the gauge that was defined last, until that one is taken away', async () => {
    const metrics = createMetrics('try')
    const removeOlder = metrics.gauge({ name: 'one', help: '', read: () => 1 })
    const removeNewer = metrics.gauge({ name: 'one', help: '', read: () => 2 })
    removeOlder()
    expect(await textOf(metrics)).toContain('one 2')
    removeNewer()
    expect(await textOf(metrics)).not.toContain('TYPE one')
  })

  it('are the same for everybody who asks for a service', () => {
    expect(metricsOf('same')).toBe(metricsOf('same'))
  })
})
