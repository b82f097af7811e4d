import { createFakeClock } from '@merx/testing/fake-clock'
import { createTableSizes, SMALL_TABLE_ROWS } from './table-sizes.ts'

const budget = { timeoutMs: 1, memoryBytesMax: 1, groupsMax: 1, rowsMax: 1 }
const fetched = () => new Promise(setImmediate)

/** Answers each read with the next of `rows`. */
const openSizes = (...rows: readonly (() => unknown)[]) => {
  const clock = createFakeClock()
  let reads = 0
  const run = async () => {
    const next = rows[reads]
    reads += 1
    return [{ rows: next?.() }]
  }
  const sizes = createTableSizes({ engine: { run }, clock, budget })
  return { clock, sizes, reads: () => reads }
}

describe('the size of a table', () => {
  it.each([
    ['small', String(SMALL_TABLE_ROWS), true],
    ['not small', String(SMALL_TABLE_ROWS + 1), false],
    ['not small where a cluster does not report it', null, false],
  ])('is %s', async (_size, rows, isSmall) => {
    const { sizes } = openSizes(() => rows)
    expect(sizes.isSmall('orders')).toBe(false)
    await fetched()
    expect(sizes.isSmall('orders')).toBe(isSmall)
  })

  it('is read again after two seconds, and the old one is used meanwhile', async () => {
    const { clock, sizes, reads } = openSizes(
      () => '1',
      () => String(SMALL_TABLE_ROWS + 1),
    )
    sizes.isSmall('orders')
    await fetched()
    expect(sizes.isSmall('orders')).toBe(true)
    expect(reads()).toBe(1)
    clock.advance(2.1)
    expect(sizes.isSmall('orders')).toBe(true)
    await fetched()
    expect(sizes.isSmall('orders')).toBe(false)
    expect(reads()).toBe(2)
  })

  it('is unknown after the engine failed', async () => {
    const { sizes } = openSizes(() => {
      throw new Error('unavailable')
    })
    sizes.isSmall('orders')
    await fetched()
    expect(sizes.isSmall('orders')).toBe(false)
  })
})
