import { setTimeout as wait } from 'node:timers/promises'
import { getAs, importSkus, exportSkus } from '@merx/core/load/core-requests'
import { openCoreSurroundings } from '@merx/core/load/start-core'
import type { LoadedCore } from '@merx/core/load/start-core'
import type { Bench } from '@merx/load/bench'
import type { LoadRequest } from '@merx/load/exchange'
import { slopeOf, toMemoryCheck, toMemoryTable } from '@merx/load/memory-growth'
import type { MemoryGrowth, MemoryPoint } from '@merx/load/memory-growth'

/** Of one job: the most that an import or an export may have. */
const ROWS = 10_000
/** Of each kind, besides the first. */
const JOBS = 10
const POLL_MS = 200
const POLLS_MAX = 3_000

interface Job {
  readonly id: string
  readonly attributes: { readonly status: string }
}

const send = async ({ target }: LoadedCore, { method, path, headers, body }: LoadRequest): Promise<Job> => {
  const answer = await fetch(target.url + path, {
    method,
    headers: { ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const document = (await answer.json()) as { readonly data?: Job }
  if (document.data === undefined) throw new Error(`${method} ${path}: ${JSON.stringify(document)}`)
  return document.data
}

const growthOf = (points: readonly MemoryPoint[]): MemoryGrowth => {
  const slope = (pick: (point: MemoryPoint) => number): number =>
    slopeOf(points.map((point) => [point.requests / 1000, pick(point)]))
  return {
    points,
    heapSlope: slope(({ heapUsedBytes }) => heapUsedBytes),
    rssSlope: slope(({ rssBytes }) => rssBytes),
  }
}

/** The memory after a garbage collection, `requests` being the rows that were written or read until then. */
const sampleAt = async ({ target }: LoadedCore, requests: number): Promise<MemoryPoint> => {
  const { heapUsedBytes, rssBytes } = await target.sample(true)
  return { requests, heapUsedBytes, rssBytes }
}

const isOver = async (core: LoadedCore, path: string): Promise<boolean> => {
  const { attributes } = await send(core, getAs(core.target.facts.adminToken, path))
  if (attributes.status === 'completed') return true
  if (['pending', 'in_progress'].includes(attributes.status)) return false
  throw new Error(`${path} is ${attributes.status}`)
}

/** Job after job, each to its end, and a point after each. */
const measure = async (
  core: LoadedCore,
  path: '/api/imports' | '/api/exports',
  requestOf: (number: number) => LoadRequest,
  say: (message: string) => void,
): Promise<MemoryGrowth> => {
  const points: MemoryPoint[] = []
  for (let number = 0; number <= JOBS; number += 1) {
    const { id } = await send(core, requestOf(number))
    for (let poll = 0; !(await isOver(core, `${path}/${id}`)); poll += 1) {
      if (poll === POLLS_MAX) throw new Error(`${path}/${id} did not end`)
      await wait(POLL_MS)
    }
    // The first fills caches and compiles code.
    if (number > 0) points.push(await sampleAt(core, number * ROWS))
    say(`${path}: ${(number + 1) * ROWS} rows`)
  }
  return growthOf(points)
}

const importOf =
  ({ target: { facts } }: LoadedCore) =>
  (number: number): LoadRequest =>
    importSkus(
      facts.adminToken,
      Array.from({ length: ROWS }, (_, at) => ({
        code: `IMPORT-${number}-${at}`,
        name: `Imported ${at}`,
        shipping_category_id: facts.ids.shippingCategory,
      })),
    )

export const bench: Bench = {
  summary: `Memory of core after each of ${JOBS} exports of ${ROWS.toLocaleString('en')} SKUs with their prices and stock, and of as many imports; after a garbage collection, "requests" being rows.`,
  run: async ({ defer, say }) => {
    const surroundings = await openCoreSurroundings(say)
    defer(surroundings.close)
    const core = await surroundings.start('jobs', ROWS)
    const { adminToken } = core.target.facts
    // First, because an export of all SKUs is refused once there are more than one import brings.
    const exported = await measure(
      core,
      '/api/exports',
      () => exportSkus(adminToken, ['prices', 'stock_items']),
      say,
    )
    const imported = await measure(core, '/api/imports', importOf(core), say)
    return {
      tables: [
        { title: 'Exporting, prices and stock items included', ...toMemoryTable(exported) },
        { title: 'Importing', ...toMemoryTable(imported) },
      ],
      checks: [toMemoryCheck('exporting', exported), toMemoryCheck('importing', imported)],
    }
  },
}
