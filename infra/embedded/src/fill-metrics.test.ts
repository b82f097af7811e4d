import type { Ingester } from '@merx/metrics/ingest/ingester'
import { waitUntilFilled } from './fill-metrics.ts'

const options = { stuckAfterMs: 30, lookMs: 5 }
const statusWith = (failures: number) => ({ failures }) as ReturnType<Ingester['status']>

describe('waiting for metrics', () => {
  it('ends when the store holds every order', async () => {
    const ingester = { caughtUp: async () => undefined, status: () => statusWith(0) }
    expect(await waitUntilFilled(ingester, options)).toBe(true)
  })

  it('ends without it when filling it keeps failing', async () => {
    const ingester = { caughtUp: () => new Promise<void>(() => undefined), status: () => statusWith(3) }
    expect(await waitUntilFilled(ingester, options)).toBe(false)
  })

  it('continues while attempts succeed now and then', async () => {
    const filled = Promise.withResolvers<void>()
    let looks = 0
    const status = () => {
      looks += 1
      if (looks === 40) filled.resolve()
      return statusWith(looks % 2)
    }
    expect(await waitUntilFilled({ caughtUp: () => filled.promise, status }, options)).toBe(true)
    expect(looks).toBeGreaterThanOrEqual(40)
  })
})
