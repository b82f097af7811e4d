import { integer, list, oneOf, trigger } from '@merx/jsonapi/attributes'
import { CIRCUIT_STATES, url } from '../../definitions/shapes.ts'
import { regenerable, sharedSecret } from '../../definitions/shared-secret.ts'
import { calledAddresses } from '../../outside/called-addresses.ts'
import { resetCircuit } from '../../outside/circuit.ts'
import { externalIncludes } from '../../outside/external-includes.ts'
import { definePromotion } from '../define-promotion.ts'
import { allocate, goodsOf } from '../discounted-order.ts'
import type { Allocation } from '../discounted-order.ts'
import type { PromotionKind } from '../promotion-kind.ts'

/** A discount that a service of the shop's own decides, reached by its address (ask-promotion.ts). */
export const external: PromotionKind = {
  definition: definePromotion('external_promotions', {
    summary: "A discount that a service of the shop's own decides.",
    skuList: 'optional',
    attributes: {
      promotion_url: url({ required: true }),
      circuit_state: oneOf(CIRCUIT_STATES, { filter: true, sort: true }),
      circuit_failure_count: integer({ filter: true, sort: true }),
      shared_secret: sharedSecret(),
      external_includes: list({ write: 'always', max: 50, default: [] }),
      _reset_circuit: trigger({ prohibited: true }),
      _regenerate_shared_secret: trigger(),
    },
    actions: { reset_circuit: resetCircuit, ...regenerable },
    rules: [calledAddresses('promotion_url'), externalIncludes('orders')],
  }),
  pricesUnits: false,
  discount: ({ promotion: { sku_list_id: list }, external: answer }, order) => {
    if (answer === undefined) return []
    const { lines: named, cents } = answer
    const goods = goodsOf(order, list)
    if (named === undefined) return allocate(cents, goods)
    const lines = goods.filter(({ number }) => number !== null && named.has(number))
    const hasParts = [...named.values()].some((part) => part !== null)
    if (!hasParts) return allocate(cents, lines)
    return lines.map((line): Allocation => ({
      line,
      cents: Math.min(line.leftCents, named.get(line.number ?? -1) ?? 0),
    }))
  },
}
