/** What `merx webhooks` asks of the internal listener of core. */
import type { Environment } from '@merx/config/load-config'
import { compile } from '@merx/validation/compile'
import { openService } from './service-client.ts'

/** Of `GET /internal/webhooks`. */
export interface WebhookState {
  readonly id: string
  readonly name: string | null
  readonly topic: string
  readonly callback_url: string
  readonly disabled_at: string | null
  readonly circuit_state: string
  readonly circuit_failure_count: number
  readonly waiting: number
  readonly held: number
  readonly failed: number
}

export interface WebhooksClient {
  list(organizationId: string, mode: 'test' | 'live'): Promise<readonly WebhookState[]>
  /** @returns how many deliveries are made again */
  resend(
    id: string,
    what: { readonly event_id?: string; readonly from?: Date; readonly to?: Date },
  ): Promise<number>
  resetCircuit(id: string): Promise<void>
}

const TEXT = { type: 'string' }
const TEXT_OR_NULL = { type: ['string', 'null'] }
const COUNT = { type: 'integer', minimum: 0 }

const WEBHOOK = {
  id: TEXT,
  name: TEXT_OR_NULL,
  topic: TEXT,
  callback_url: TEXT,
  disabled_at: TEXT_OR_NULL,
  circuit_state: TEXT,
  circuit_failure_count: COUNT,
  waiting: COUNT,
  held: COUNT,
  failed: COUNT,
}

const parseList = compile<{ webhooks: readonly WebhookState[] }>({
  type: 'object',
  required: ['webhooks'],
  properties: {
    webhooks: {
      type: 'array',
      items: { type: 'object', required: Object.keys(WEBHOOK), properties: WEBHOOK },
    },
  },
})

const parseCount = compile<{ count: number }>({
  type: 'object',
  required: ['count'],
  properties: { count: COUNT },
})

/** Throws CliError when nothing says where core is; the calls throw one when it does not answer or refuses. */
export const openWebhooksClient = (env: Environment): WebhooksClient => {
  const core = openService('core', env)
  const pathOf = (id: string, what: string): string => `/internal/webhooks/${encodeURIComponent(id)}/${what}`
  return {
    list: async (organizationId, mode) => {
      const query = { organization_id: organizationId, mode }
      const result = parseList(await core.get('/internal/webhooks', { query }))
      if (!result.ok) throw new Error(`core answered what is no list: ${result.violations[0]?.pointer}`)
      return result.value.webhooks
    },
    resend: async (id, what) => {
      const result = parseCount(await core.post(pathOf(id, 'resend'), what))
      if (!result.ok) throw new Error('core did not say how many deliveries it made')
      return result.value.count
    },
    resetCircuit: async (id) => {
      await core.post(pathOf(id, 'reset-circuit'), {})
    },
  }
}
