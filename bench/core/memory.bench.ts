import { skusPage } from '@merx/core/load/core-requests'
import { openCoreSurroundings } from '@merx/core/load/start-core'
import type { LoadedCore } from '@merx/core/load/start-core'
import type { Bench } from '@merx/load/bench'
import type { CallerOf } from '@merx/load/closed-loop'
import { measureMemoryGrowth, toMemoryCheck, toMemoryTable } from '@merx/load/memory-growth'
import { sizesOf } from './sizes.ts'

const SKUS = 20_000
const REQUESTS = 8_000
const POINTS = 6
const PAGE_SIZE = 25

/** Each connection walks through the shop page by page, again and again, beginning at a place of its own. */
const walking =
  (token: string, { skus }: LoadedCore): CallerOf =>
  (connection) => {
    const pages = Math.ceil(skus / PAGE_SIZE)
    let page = connection * 7919
    return {
      next: () => {
        page += 1
        return skusPage(token, 1 + (page % pages))
      },
    }
  }

export const bench: Bench = {
  summary: `Memory of core while ${REQUESTS.toLocaleString('en')} pages of SKUs are listed, each point after a garbage collection.`,
  run: async ({ defer, say }) => {
    const surroundings = await openCoreSurroundings(say)
    defer(surroundings.close)
    const [size = SKUS] = sizesOf([SKUS])
    const core = await surroundings.start('memory', size)
    const { adminToken, marketToken } = core.target.facts
    const measure = (token: string) =>
      measureMemoryGrowth({
        target: core.target,
        callerOf: walking(token, core),
        requests: REQUESTS,
        points: POINTS,
        say,
      })
    const read = await measure(adminToken)
    const kept = await measure(marketToken)
    return {
      tables: [
        { title: 'No scope, always read', ...toMemoryTable(read) },
        { title: 'Market in scope, kept up to 64 MB', ...toMemoryTable(kept) },
      ],
      checks: [toMemoryCheck('read', read), toMemoryCheck('kept', kept)],
    }
  },
}
