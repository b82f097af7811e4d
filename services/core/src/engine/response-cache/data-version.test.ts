import type { Row } from '@merx/jsonapi/attributes'
import { createFakeClock } from '@merx/testing/fake-clock'
import type { Statement } from '../sql/params.ts'
import { createFindDataVersion } from './data-version.ts'

interface Query {
  readonly values: readonly unknown[]
  answer(isUnchanged: boolean, snapshot?: string): Promise<void>
  fail(error: Error): Promise<void>
}

/** Until the turn of the event loop is over, and what follows from it is done. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Queries wait until they are answered. */
const open = () => {
  const queries: Query[] = []
  const clock = createFakeClock()
  const run = <R extends Row>({ values }: Statement) =>
    new Promise<readonly R[]>((resolve, reject) => {
      queries.push({
        values,
        answer: (is_unchanged, snapshot = '10:20:') => {
          resolve([{ is_unchanged, snapshot }] as unknown as readonly R[])
          return settle()
        },
        fail: (error) => {
          reject(error)
          return settle()
        },
      })
    })
  return { queries, clock, find: createFindDataVersion(run, clock) }
}

const first = async ({ queries, find }: ReturnType<typeof open>, environment = 7) => {
  const finding = find(environment)
  await settle()
  await queries.at(-1)?.answer(false)
  return finding
}

describe('the data version of an environment', () => {
  it('stays the same while nothing changed since the snapshot of the last query', async () => {
    const opened = open()
    const { queries, find } = opened
    const before = await first(opened)
    const finding = find(7)
    await settle()
    expect(queries.map(({ values }) => values)).toEqual([
      [7, null],
      [7, '10:20:'],
    ])
    await queries[1]?.answer(true, '30:40:')
    expect(await finding).toBe(before)
    void find(7)
    await settle()
    expect(queries[2]?.values).toEqual([7, '30:40:'])
  })

  it('is another one when something changed', async () => {
    const opened = open()
    const { queries, find } = opened
    const before = await first(opened)
    const finding = find(7)
    await settle()
    await queries[1]?.answer(false)
    expect((await finding).number).not.toBe(before.number)
  })

  it('is found with one query for all who come in one turn of the event loop', async () => {
    const { queries, find } = open()
    const finding = [find(7), find(7), find(7)]
    expect(queries).toHaveLength(0)
    await settle()
    expect(queries).toHaveLength(1)
    await queries[0]?.answer(true)
    expect(new Set(await Promise.all(finding)).size).toBe(1)
    expect(queries).toHaveLength(1)
  })

  it('is found with one query, sent after they came, for all who come while another is running', async () => {
    const { queries, find } = open()
    const earliest = find(7)
    await settle()
    const late = [find(7), find(7), find(7)]
    await settle()
    expect(queries).toHaveLength(1)
    await queries[0]?.answer(false)
    expect(queries).toHaveLength(2)
    const later = find(7)
    await queries[1]?.answer(true)
    const versions = await Promise.all([earliest, ...late])
    expect(new Set(versions).size).toBe(1)
    expect(queries).toHaveLength(3)
    await queries[2]?.answer(true)
    expect(await later).toBe(versions[0])
  })

  it('belongs to that environment alone', async () => {
    const opened = open()
    const [one, other] = [await first(opened, 7), await first(opened, 8)]
    expect(one.number).not.toBe(other.number)
    expect(opened.queries[1]?.values).toEqual([8, null])
  })

  it('rejects for the callers of a query that failed, and is queried again for those who came after', async () => {
    const opened = open()
    const { queries, find } = opened
    const before = await first(opened)
    const failing = find(7)
    await settle()
    const waiting = find(7)
    const failed = expect(failing).rejects.toThrow('unavailable')
    await queries[1]?.fail(new Error('unavailable'))
    await failed
    await queries[2]?.answer(true)
    expect(await waiting).toBe(before)
  })

  it('is another one after a pause, in which another server may have taken over', async () => {
    const opened = open()
    await first(opened)
    opened.clock.advance(4.9)
    void opened.find(7)
    await settle()
    await opened.queries[1]?.answer(true)
    opened.clock.advance(5)
    void opened.find(7)
    await settle()
    expect(opened.queries.map(({ values }) => values[1])).toEqual([null, '10:20:', null])
  })
})
