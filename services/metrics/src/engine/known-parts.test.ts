import { createFakeClock } from '@merx/testing/fake-clock'
import type { Engine } from './engine.ts'
import { createKnownParts } from './known-parts.ts'

const budget = { timeoutMs: 1, memoryBytesMax: 1, groupsMax: 1, rowsMax: 1 }

const createParts = (answers: readonly (string | Error)[]) => {
  const asked: unknown[] = []
  const run: Engine['run'] = async ({ params }) => {
    asked.push(params)
    const most = answers[asked.length - 1]
    if (most instanceof Error) throw most
    return [{ most }]
  }
  const clock = createFakeClock()
  return { parts: createKnownParts({ run } as Engine, clock, budget), clock, asked }
}

const settled = async (): Promise<void> => {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}

describe('parts of a table', () => {
  it('are taken for scattered until something is known', async () => {
    const { parts } = createParts(['1'])
    expect(parts.areMerged('orders')).toBe(false)
    await settled()
    expect(parts.areMerged('orders')).toBe(true)
  })

  it('are looked for again after two seconds, and make nobody wait', async () => {
    const { parts, clock, asked } = createParts(['1', '2'])
    parts.areMerged('orders')
    await settled()
    expect(parts.areMerged('orders')).toBe(true)
    clock.advance(2.1)
    expect(parts.areMerged('orders')).toBe(true)
    await settled()
    expect(parts.areMerged('orders')).toBe(false)
    expect(asked).toHaveLength(2)
  })

  it('are of one table', async () => {
    const { parts, asked } = createParts(['1', '7'])
    parts.areMerged('orders')
    parts.areMerged('returns')
    await settled()
    expect([parts.areMerged('orders'), parts.areMerged('returns')]).toEqual([true, false])
    expect(asked).toEqual([
      { table: 'orders', local: '^orders_g[0-9]+_local$' },
      { table: 'returns', local: '^returns_g[0-9]+_local$' },
    ])
  })

  it('are taken for scattered when the engine does not say', async () => {
    const { parts, clock } = createParts(['1', new Error('away')])
    parts.areMerged('orders')
    await settled()
    clock.advance(2.1)
    expect(parts.areMerged('orders')).toBe(true)
    await settled()
    expect(parts.areMerged('orders')).toBe(false)
  })
})
