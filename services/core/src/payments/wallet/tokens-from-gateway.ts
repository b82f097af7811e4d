/**
 * `token_url` of an external gateway: asked when a source joins a wallet, it gives the tokens that later orders are paid with
 * (core-conventions.md 13.2, docs/adr/0100).
 */
import type { Row } from '@merx/jsonapi/attributes'
import { compile } from '@merx/validation/compile'
import type { Result } from '@merx/validation/compile'
import { selectRow } from '../../engine/sql/select-rows.ts'
import { numberOf } from '../../engine/write/persist.ts'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
import { askResource } from '../../outside/ask-resource.ts'
import { outsideDocument, pathsOf } from '../../outside/outside-document.ts'
import type { GatewayRow } from '../outside/gateway-question.ts'
import { isCardNumber } from './no-card-numbers.ts'

interface Tokens {
  readonly payment_source_token?: string
  readonly customer_token?: string
}

const token = { type: 'string', minLength: 1, maxLength: 255 }

const parseTokens = compile<Tokens>({
  type: 'object',
  properties: { payment_source_token: token, customer_token: token },
})

const parse = (data: unknown): Result<Tokens> => {
  const parsed = parseTokens(data)
  if (!parsed.ok) return parsed
  const { payment_source_token, customer_token } = parsed.value
  const names = ['payment_source_token', 'customer_token'] as const
  const card = names.find((name) => isCardNumber(parsed.value[name] ?? ''))
  if (card !== undefined)
    return {
      ok: false,
      violations: [
        { pointer: `/${card}`, keyword: 'format', params: {}, message: 'is the number of a card' },
      ],
    }
  return {
    ok: true,
    value: {
      ...(payment_source_token === undefined ? {} : { payment_source_token }),
      ...(customer_token === undefined ? {} : { customer_token }),
    },
  }
}

/**
 * Columns of the wallet entry; none for a source without a gateway that has a `token_url`. Undefined when the gateway gave no
 * answer that counts: the source is not kept, and the order goes on.
 */
export const tokensFromGateway = async (
  type: string,
  source: Row,
  step: WorkflowStep,
): Promise<Row | undefined> => {
  const { run, registry, scope } = step
  const { environmentId } = scope
  const { payment_gateway_id: number } = source
  if (typeof number !== 'number') return {}
  const [gateway] = await run<GatewayRow>(selectRow('payment_gateways', environmentId, number, false))
  const url = gateway?.token_url ?? ''
  if (gateway === undefined || url === '') return {}
  const id = numberOf(source)
  const answer = await askResource<Tokens>(
    {
      key: `tokens ${type} ${id}`,
      // The source keeps its key, so that a gateway that gives a token once gives the same again.
      idempotencyKey: `${registry.ids.encode(type, id)}-tokens`,
      environmentId,
      url,
      signer: gateway,
      circuit: { table: 'payment_gateways', row: gateway },
      document: () =>
        outsideDocument(
          {
            definition: registry.require(type),
            number: id,
            environmentId,
            includes: pathsOf(gateway.external_includes),
            triggers: {},
          },
          { run, registry },
        ),
      parse,
    },
    step,
  )
  return answer.kind === 'given' ? { ...answer.data } : undefined
}
