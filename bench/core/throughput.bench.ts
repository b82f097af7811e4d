import { changeSku, createSku, skusPage } from '@merx/core/load/core-requests'
import { encodeId } from '@merx/core/load/load-ids'
import { openCoreSurroundings } from '@merx/core/load/start-core'
import type { LoadedCore } from '@merx/core/load/start-core'
import { recordAnswer, startBareExpress } from '@merx/load/bare-express'
import type { Bench, BenchContext } from '@merx/load/bench'
import { always } from '@merx/load/closed-loop'
import type { CallerOf } from '@merx/load/closed-loop'
import { compare } from '@merx/load/compare'
import type { Comparison } from '@merx/load/compare'
import { startTarget } from '@merx/load/target'
import { sizesOf } from './sizes.ts'

const READ_RATIO_MIN = 0.5
const WRITE_RATIO_MIN = 0.3
const SKUS = 100_000
const CONNECTIONS = 10

const compareReads = async (core: LoadedCore, { defer, say }: BenchContext): Promise<Comparison> => {
  const page = skusPage(core.target.facts.marketToken, 1)
  const bare = await startBareExpress([await recordAnswer(core.target.url, page)])
  defer(bare.stop)
  const callerOf = always(page)
  return compare({
    name: 'first page, market in scope',
    alternatives: [
      { name: 'bare Express', target: bare, callerOf },
      { name: 'merx', target: core.target, callerOf, ratioMin: READ_RATIO_MIN },
    ],
    say,
  })
}

/** Each connection writes codes of its own. */
const creating =
  (name: string, { target }: LoadedCore): CallerOf =>
  (connection) => {
    const { adminToken, ids } = target.facts
    const prefix = `${name}-${Date.now()}-${connection}`
    let count = 0
    return {
      next: () => {
        count += 1
        return createSku(adminToken, `${prefix}-${count}`, ids.shippingCategory)
      },
    }
  }

/** Each connection changes rows of its own, one after the other. */
const changing =
  ({ skus, target }: LoadedCore): CallerOf =>
  (connection) => {
    let turn = 0
    return {
      next: () => {
        turn += 1
        const number = 1 + ((connection + turn * CONNECTIONS) % skus)
        return changeSku(target.facts.adminToken, encodeId('skus', number), { name: `Article ${turn}` })
      },
    }
  }

const compareWrites = async (
  core: LoadedCore,
  { defer, say }: BenchContext,
): Promise<readonly Comparison[]> => {
  const bare = await startTarget({
    name: 'bare Express with pg',
    program: new URL('../../services/core/load/serve-bare-writes.ts', import.meta.url),
    input: { databaseUrl: core.databaseUrl },
  })
  defer(bare.stop)
  const created = await compare({
    name: 'create a SKU',
    alternatives: [
      { name: bare.name, target: bare, callerOf: creating('bare', core) },
      { name: 'merx', target: core.target, callerOf: creating('merx', core), ratioMin: WRITE_RATIO_MIN },
    ],
    say,
  })
  const changed = await compare({
    name: 'change the name of a SKU',
    connections: CONNECTIONS,
    alternatives: [
      { name: bare.name, target: bare, callerOf: changing(core) },
      { name: 'merx', target: core.target, callerOf: changing(core), ratioMin: WRITE_RATIO_MIN },
    ],
    say,
  })
  return [created, changed]
}

export const bench: Bench = {
  summary:
    'The first page of 25 SKUs with a market in scope, warm, against the same bytes from bare Express; a SKU created, against the same insert from bare Express with pg; and the name of one changed, against the same update. Token, revocation, limits (Redis) and logs are on.',
  run: async (context) => {
    const surroundings = await openCoreSurroundings(context.say)
    context.defer(surroundings.close)
    const [size = SKUS] = sizesOf([SKUS])
    const core = await surroundings.start('throughput', size)
    return {
      comparisons: [await compareReads(core, context), ...(await compareWrites(core, context))],
      notes: [`The shop has ${size.toLocaleString('en')} SKUs.`],
    }
  },
}
