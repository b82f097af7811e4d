/** What `merx metrics` asks of the internal listener of metrics. */
import type { Environment } from '@merx/config/load-config'
import { compile } from '@merx/validation/compile'
import { CliError } from './cli-error.ts'
import { openService } from './service-client.ts'

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
  const metrics = openService('metrics', env)
  return {
    requestRebuild: async () => toGeneration(await metrics.post('/internal/ingest/rebuild', {})),
    ingest: async () => toIngest(await metrics.get('/internal/ingest')),
  }
}
