/** The internal listener of metrics: from the environment, or from the running system of `npm start`. */
import { ConfigError } from '@merx/config/config-error'
import { secret, url } from '@merx/config/fields'
import { loadConfig, type Environment } from '@merx/config/load-config'
import { InternalCallError } from '@merx/http/internal-call-error'
import { createInternalClient, type InternalClient } from '@merx/http/internal-client'
import { createLogger } from '@merx/telemetry/logger'
import { compile } from '@merx/validation/compile'
import { CliError, EXIT } from './cli-error.ts'
import { readSystemEnvironment } from './connection.ts'

const schema = {
  METRICS_INTERNAL_URL: url({ protocols: ['http', 'https'], help: 'Internal address of metrics.' }),
  SERVICE_KEY: secret({ help: 'Shared by the services for internal calls.' }),
}

/** Of `GET /internal/ingest`. */
export interface IngestState {
  readonly role: string
  readonly lag_ms: number | null
  readonly backlog: number | null
  readonly trouble: string | null
  readonly quarantined: number
  readonly generation: number
  readonly rebuild: {
    readonly generation: number
    readonly applied: number
    /** Null for the first tables of a store. */
    readonly expected: number | null
  } | null
}

export interface MetricsClient {
  requestRebuild(): Promise<number>
  ingest(): Promise<IngestState>
}

const orNull = (type: string) => ({ type: [type, 'null'] })

const parseIngest = compile<IngestState>({
  type: 'object',
  required: ['role', 'lag_ms', 'backlog', 'trouble', 'quarantined', 'generation', 'rebuild'],
  properties: {
    role: { type: 'string' },
    lag_ms: orNull('number'),
    backlog: orNull('integer'),
    trouble: orNull('string'),
    quarantined: { type: 'integer' },
    generation: { type: 'integer' },
    rebuild: {
      ...orNull('object'),
      required: ['generation', 'applied', 'expected'],
      properties: {
        generation: { type: 'integer' },
        applied: { type: 'integer' },
        expected: orNull('integer'),
      },
    },
  },
})

const parseRequested = compile<{ generation: number }>({
  type: 'object',
  required: ['generation'],
  properties: { generation: { type: 'integer' } },
})

const TIMEOUT_MS = 30_000
const HINT = 'METRICS_INTERNAL_URL to where metrics listens for the other services, and SERVICE_KEY'

const load = (env: Environment) => {
  const named = (env['METRICS_INTERNAL_URL'] ?? '') !== ''
  try {
    return loadConfig(schema, named ? env : { ...env, ...readSystemEnvironment(env, HINT) })
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(error.violations.join('\n'), EXIT.usage)
    throw error
  }
}

const toIngest = (answer: unknown): IngestState => {
  if (answer === null)
    throw new CliError(
      'The process of METRICS_INTERNAL_URL runs with METRICS_INGEST=false and does not know.',
    )
  const result = parseIngest(answer)
  if (!result.ok)
    throw new Error(`metrics answered what is no state of the ingest: ${result.violations[0]?.pointer}`)
  return result.value
}

const toGeneration = (answer: unknown): number => {
  const result = parseRequested(answer)
  if (!result.ok) throw new Error('metrics did not say which generation it builds')
  return result.value.generation
}

/** Throws CliError when nothing says where metrics is; the calls throw one when it does not answer. */
export const openMetricsClient = (env: Environment): MetricsClient => {
  const { metricsInternalUrl, serviceKey: key } = load(env)
  const log = createLogger({ service: 'merx', level: 'silent' })
  const client: InternalClient = createInternalClient({
    url: metricsInternalUrl,
    key,
    timeoutMs: TIMEOUT_MS,
    log,
  })
  const orUnavailable = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (cause) {
      const status = cause instanceof InternalCallError ? cause.status : undefined
      if (status === 401)
        throw new CliError('Metrics does not take this SERVICE_KEY.', EXIT.failed, { cause })
      if (status !== undefined)
        throw new CliError(`Metrics answers ${status}; its log says why.`, EXIT.failed, { cause })
      throw new CliError(`Metrics does not answer at ${metricsInternalUrl}.`, EXIT.failed, { cause })
    }
  }
  return {
    requestRebuild: async () =>
      toGeneration(await orUnavailable(client.post('/internal/ingest/rebuild', {}))),
    ingest: async () => toIngest(await orUnavailable(client.get('/internal/ingest'))),
  }
}
