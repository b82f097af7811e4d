/** What /metrics shows, through the SDK and its exporter. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadConfig } from '@merx/config/load-config'
import { createLogger } from './logger.ts'
import { areMetricsOn, instrumentsOf, meterOf, metricsHandlerOf, observe } from './metrics.ts'
import { startTelemetry, type Telemetry } from './start-telemetry.ts'
import { telemetryFields } from './telemetry-config.ts'

const log = createLogger({ service: 'try', level: 'silent' })

const start = (env: Record<string, string> = {}): Promise<Telemetry> =>
  startTelemetry({ service: 'try', measured: ['one', 'two'], config: loadConfig(telemetryFields, env), log })

/** The answer of /metrics of a service. */
const scrape = async (service: string): Promise<string> => {
  const handle = metricsHandlerOf(service)
  if (handle === undefined) throw new Error('metrics are off')
  const server = createServer((request, response: ServerResponse) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    return await response.text()
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const linesOf = async (service: string): Promise<string[]> => (await scrape(service)).split('\n')

describe('metrics', () => {
  let telemetry: Telemetry
  beforeEach(async () => {
    telemetry = await start()
  })
  afterEach(() => telemetry.close())

  it('are counters, gauges and histograms as Prometheus reads them', async () => {
    const tokens = meterOf('one').createCounter('tokens', { description: 'Tokens.' })
    tokens.add(1, { grant: 'password', outcome: 'issued' })
    tokens.add(2, { grant: 'password', outcome: 'issued' })
    const sizes = meterOf('one').createHistogram('sizes', { advice: { explicitBucketBoundaries: [1, 10] } })
    for (const size of [1, 5, 10, 11]) sizes.record(size)
    observe('one', { name: 'now', description: 'Now.', read: () => 7 })
    observe('one', {
      name: 'spent',
      description: 'Spent.',
      isCounter: true,
      read: async () => [[{ a: 'x"\n\\' }, 1]],
    })
    const lines = await linesOf('one')
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
      'spent_total{a="x\\"\\n\\\\"} 1',
    ]) {
      expect(lines).toContain(line)
    }
  })

  it('are those of the service and of the process, not those of another service', async () => {
    meterOf('one').createCounter('of_one').add(1)
    meterOf('two').createCounter('of_two').add(1)
    const [one, two] = [await scrape('one'), await scrape('two')]
    expect(one).toContain('of_one_total 1')
    expect(one).not.toContain('of_two')
    expect(two).toContain('of_two_total 1')
    for (const text of [one, two]) expect(text).toContain('process_resident_memory_bytes ')
  })

  it('leave out a value that cannot be read, count that, and show the others', async () => {
    observe('one', {
      name: 'broken',
      description: 'Broken.',
      read: () => {
        throw new Error('unavailable')
      },
    })
    observe('one', { name: 'fine', description: 'Fine.', read: () => 1 })
    await scrape('one')
    const lines = await linesOf('one')
    expect(lines).toContain('fine 1')
    expect(lines.join('\n')).toMatch(/^merx_metrics_failures_total\{metric="broken"\} [12]$/m)
    expect(lines).toContain('merx_metrics_failures_total{metric="fine"} 0')
    expect(lines).not.toContain('# TYPE broken gauge')
  })

  it('show no value that is observed no more, and none that is unknown yet', async () => {
    const stop = observe('one', { name: 'gone', description: '', read: () => 1 })
    observe('one', { name: 'unknown', description: '', read: () => undefined })
    stop()
    expect(await scrape('one')).not.toMatch(/^(gone|unknown) /m)
  })

  it('hold a bounded number of series, whatever is counted', async () => {
    const paths = meterOf('one').createCounter('paths')
    for (let number = 0; number < 5_000; number += 1) paths.add(1, { path: `p${number}` })
    const series = (await linesOf('one')).filter((line) => line.startsWith('paths_total{'))
    expect(series.length).toBeLessThanOrEqual(2_000)
    expect(series.at(-1)).toContain('otel_metric_overflow="true"')
  })

  it('are counted by instruments that are made at their first use', async () => {
    const instruments = instrumentsOf('one', (meter) => ({ uses: meter.createCounter('uses') }))
    instruments().uses.add(1)
    instruments().uses.add(1)
    expect(await linesOf('one')).toContain('uses_total 2')
  })
})

describe('metrics that are off', () => {
  it.each([{ OTEL_METRICS_EXPORTER: 'none' }, { OTEL_SDK_DISABLED: 'true' }])(
    'are not served and measure nothing: %p',
    async (env) => {
      const telemetry = await start(env)
      expect(areMetricsOn()).toBe(false)
      expect(metricsHandlerOf('one')).toBeUndefined()
      meterOf('one').createCounter('unused').add(1)
      await telemetry.close()
    },
  )
})
