import { createFakeClock } from '@merx/testing/fake-clock'
import type { Statement } from '../engine/sql/params.ts'
import { createCatalogueWatch } from './catalogue-watch.ts'

interface Asked {
  readonly values: readonly unknown[]
  answer(isUnchanged: boolean, snapshot?: string): Promise<void>
  fail(error: Error): Promise<void>
}

/** Until the turn of the event loop is over, and what follows from it is done. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Questions wait until they are answered. */
const open = (bytesMax = 1_000) => {
  const asked: Asked[] = []
  const clock = createFakeClock()
  const run = ({ values }: Statement) =>
    new Promise<readonly Record<string, unknown>[]>((resolve, reject) => {
      asked.push({
        values,
        answer: (is_unchanged, snapshot = '10:20:') => {
          resolve([{ is_unchanged, snapshot }])
          return settle()
        },
        fail: (error) => {
          reject(error)
          return settle()
        },
      })
    })
  return { asked, clock, watch: createCatalogueWatch(run, clock, bytesMax) }
}

const first = async ({ asked, watch }: ReturnType<typeof open>, environment = 7) => {
  const looking = watch.look(environment)
  await settle()
  await asked.at(-1)?.answer(false)
  return looking
}

describe('the watch of a catalogue', () => {
  it('asks about the snapshot of its last look, and keeps what was read while the answer is yes', async () => {
    const opened = open()
    const { asked, watch } = opened
    const before = await first(opened)
    before.pages.keep('a page', Buffer.from('body'))
    const looking = watch.look(7)
    await settle()
    expect(asked.map(({ values }) => values)).toEqual([
      [7, null],
      [7, '10:20:'],
    ])
    await asked[1]?.answer(true, '30:40:')
    expect((await looking).pages.find('a page')?.toString()).toBe('body')
    void watch.look(7)
    await settle()
    expect(asked[2]?.values).toEqual([7, '30:40:'])
  })

  it('forgets everything when something changed', async () => {
    const opened = open()
    const { asked, watch } = opened
    const before = await first(opened)
    before.pages.keep('a page', Buffer.from('body'))
    const looking = watch.look(7)
    await settle()
    await asked[1]?.answer(false)
    expect((await looking).pages.find('a page')).toBeUndefined()
  })

  it('keeps nothing for a request that was reading while something changed', async () => {
    const opened = open()
    const { asked, watch } = opened
    const before = await first(opened)
    const looking = watch.look(7)
    await settle()
    await asked[1]?.answer(false)
    before.pages.keep('a page', Buffer.from('old'))
    expect(before.pages.find('a page')).toBeUndefined()
    expect((await looking).pages.find('a page')).toBeUndefined()
  })

  it('puts one question for all who come in one turn of the event loop', async () => {
    const { asked, watch } = open()
    const looking = [watch.look(7), watch.look(7), watch.look(7)]
    expect(asked).toHaveLength(0)
    await settle()
    expect(asked).toHaveLength(1)
    await asked[0]?.answer(true)
    expect(new Set(await Promise.all(looking)).size).toBe(1)
    expect(asked).toHaveLength(1)
  })

  it('puts one question, after they came, for all who come while another is under way', async () => {
    const { asked, watch } = open()
    const earliest = watch.look(7)
    await settle()
    const late = [watch.look(7), watch.look(7), watch.look(7)]
    await settle()
    expect(asked).toHaveLength(1)
    await asked[0]?.answer(false)
    expect(asked).toHaveLength(2)
    const later = watch.look(7)
    await asked[1]?.answer(true)
    const seen = await Promise.all([earliest, ...late])
    expect(new Set(seen).size).toBe(1)
    expect(asked).toHaveLength(3)
    await asked[2]?.answer(true)
    expect(await later).toBe(seen[0])
  })

  it('watches each environment by itself', async () => {
    const opened = open()
    const [one, other] = [await first(opened, 7), await first(opened, 8)]
    one.pages.keep('a page', Buffer.from('of one'))
    expect(other.pages.find('a page')).toBeUndefined()
    expect(opened.asked[1]?.values).toEqual([8, null])
  })

  it('tells those who asked that a question failed, and asks again for those who came after', async () => {
    const opened = open()
    const { asked, watch } = opened
    const before = await first(opened)
    before.pages.keep('a page', Buffer.from('body'))
    const failing = watch.look(7)
    await settle()
    const waiting = watch.look(7)
    const failed = expect(failing).rejects.toThrow('away')
    await asked[1]?.fail(new Error('away'))
    await failed
    await asked[2]?.answer(true)
    expect((await waiting).pages.find('a page')).toBeDefined()
  })

  it('reads anew after a pause, in which another server may have taken over', async () => {
    const opened = open()
    await first(opened)
    opened.clock.advance(4.9)
    void opened.watch.look(7)
    await settle()
    await opened.asked[1]?.answer(true)
    opened.clock.advance(5)
    void opened.watch.look(7)
    await settle()
    expect(opened.asked.map(({ values }) => values[1])).toEqual([null, '10:20:', null])
  })

  it('keeps no more bytes than there is room for, and gets room back', async () => {
    const opened = open(300)
    const { asked, watch } = opened
    const one = await first(opened, 7)
    one.pages.keep('a', Buffer.alloc(200))
    one.pages.keep('b', Buffer.alloc(200))
    one.pages.keep('a', Buffer.alloc(1))
    expect(one.pages.find('a')).toHaveLength(200)
    expect(one.pages.find('b')).toBeUndefined()
    const other = await first(opened, 8)
    other.pages.keep('c', Buffer.alloc(200))
    expect(other.pages.find('c')).toBeUndefined()
    void watch.look(7)
    await settle()
    await asked.at(-1)?.answer(false)
    other.pages.keep('c', Buffer.alloc(200))
    expect(other.pages.find('c')).toHaveLength(200)
  })
})
