import { ConfigError } from '@merx/config/config-error'
import { loadConfig } from '@merx/config/load-config'
import { parsePairs, telemetryFields } from './telemetry-config.ts'

const load = (env: Record<string, string>) => loadConfig(telemetryFields, env)

const violationsOf = (env: Record<string, string>): readonly string[] => {
  try {
    load(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.violations
    throw error
  }
  return []
}

describe('the variables of telemetry', () => {
  it('have defaults: no traces, of those one in a hundred, metrics on', () => {
    expect(load({})).toEqual({
      otelSdkDisabled: false,
      otelExporterOtlpEndpoint: undefined,
      otelExporterOtlpHeaders: undefined,
      otelTracesSampler: 'parentbased_traceidratio',
      otelTracesSamplerArg: 0.01,
      otelResourceAttributes: undefined,
      otelMetricsExporter: 'prometheus',
    })
  })

  it.each([
    ['OTEL_SDK_DISABLED', 'yes', 'true or false'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'a URL with the protocol http or https'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'nothing', 'entry 1 is not name=value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b,key=%GG', 'entry 2 is not percent-encoded UTF-8'],
    ['OTEL_TRACES_SAMPLER', 'sometimes', 'one of always_on, always_off'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'a number, 0 or more, at most 1'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'team', 'entry 1 is not name=value'],
    ['OTEL_METRICS_EXPORTER', 'otlp', 'one of prometheus, none'],
  ])('refuses %s=%s', (name, value, allowed) => {
    const violations = violationsOf({ [name]: value })
    expect(violations).toHaveLength(1)
    expect(violations[0]).toContain(name)
    expect(violations[0]).toContain(allowed)
  })

  it('never quotes the headers, which hold keys', () => {
    expect(violationsOf({ OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' }).join(' ')).not.toContain('hunter2')
  })
})

describe('parsePairs', () => {
  it('reads names and decoded values, which may hold the sign itself', () => {
    expect(parsePairs('a=1, b=x%2Cy,c=k=v,d=')).toEqual({ a: '1', b: 'x,y', c: 'k=v', d: '' })
  })
})
