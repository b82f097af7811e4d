/** The variables of OpenTelemetry that Merx knows, for the configuration of every service. Names as OpenTelemetry's. */
import { refuse, type Field } from '@merx/config/field'
import { decimal, flag, oneOf, secret, text, url } from '@merx/config/fields'
import type { Config } from '@merx/config/load-config'

const HTTP = ['http', 'https'] as const

/** What `OTEL_TRACES_SAMPLER` may be; `parentbased_*` follows the decision of the caller when there is one. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** `name=value,name=value`, values percent-encoded. @throws Error naming the entry that is not like that */
export const parsePairs = (raw: string): Record<string, string> => {
  const entries = raw.split(',').map((pair, index) => {
    const [, name, value] = /^\s*([^=\s]+)=(.*)$/.exec(pair) ?? []
    if (name === undefined || value === undefined) throw new Error(`entry ${index + 1} is not name=value`)
    try {
      return [name, decodeURIComponent(value.trim())] as const
    } catch (cause) {
      throw new Error(`entry ${index + 1} is not percent-encoded UTF-8`, { cause })
    }
  })
  return Object.fromEntries(entries)
}

/** The same field, with the text also tried as pairs. */
const ofPairs = <T>(field: Field<T>): Field<T> => ({
  ...field,
  allowed: 'name=value pairs separated by commas, values percent-encoded',
  parse: (raw) => {
    try {
      parsePairs(raw)
    } catch (error) {
      return refuse((error as Error).message.replace(/^entry/, 'has an entry that is wrong: entry'))
    }
    return field.parse(raw)
  },
})

/** @example export const configSchema = { PORT: port({ default: 3001 }), ...telemetryFields } */
export const telemetryFields = {
  OTEL_SDK_DISABLED: flag({ default: false, help: 'Switches traces and metrics off.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({
    protocols: HTTP,
    optional: true,
    help: 'Collector that traces go to, OTLP over HTTP as JSON; `/v1/traces` is added. Without it there are no traces.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: ofPairs(
    secret({ minLength: 3, optional: true, help: 'Headers for the collector, such as its key.' }),
  ),
  OTEL_TRACES_SAMPLER: oneOf(samplerNames, {
    default: 'parentbased_traceidratio',
    help: 'Which traces are recorded.',
  }),
  OTEL_TRACES_SAMPLER_ARG: decimal({
    default: 0.01,
    min: 0,
    max: 1,
    help: 'Share of traces that the samplers by ratio record.',
  }),
  OTEL_RESOURCE_ATTRIBUTES: ofPairs(
    text({
      optional: true,
      help: 'What every span says of this process, for example `deployment.environment.name=prod`.',
    }),
  ),
  OTEL_METRICS_EXPORTER: oneOf(['prometheus', 'none'], {
    default: 'prometheus',
    help: 'Whether /metrics of the internal listener shows metrics.',
  }),
} as const

/** What a service's configuration holds of `telemetryFields`. */
export type TelemetryConfig = Config<typeof telemetryFields>
