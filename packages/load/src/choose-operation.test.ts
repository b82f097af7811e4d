import { createChooser, mixOf } from './choose-operation.ts'
import { always, type Caller } from './closed-loop.ts'
import type { LoadOperation } from './scenario.ts'

const operation = (name: string, weight: number): LoadOperation => ({
  name,
  weight,
  callerOf: always({ method: 'GET', path: `/${name}` }),
})

const countOf = (choose: () => LoadOperation, times: number): Map<string, number> => {
  const counts = new Map<string, number>()
  for (let time = 0; time < times; time += 1) {
    const { name } = choose()
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

describe('the choice of operations', () => {
  const operations = [operation('often', 8), operation('now and then', 1.5), operation('seldom', 0.5)]

  it('follows the weights', () => {
    const counts = countOf(createChooser(operations), 10_000)
    expect(counts.get('often')).toBeGreaterThan(7_700)
    expect(counts.get('often')).toBeLessThan(8_300)
    expect(counts.get('seldom')).toBeGreaterThan(350)
    expect(counts.get('seldom')).toBeLessThan(650)
  })

  it('is the same in every run, and another for another seed', () => {
    const first = (seed: number) => {
      const choose = createChooser(operations, seed)
      return Array.from({ length: 50 }, () => choose().name)
    }
    expect(first(1)).toEqual(first(1))
    expect(first(1)).not.toEqual(first(2))
  })

  it.each([[[]], [[operation('free', 0)]], [[operation('odd', NaN)]]])(
    'refuses a mix that cannot be chosen from (%#)',
    (mix) => {
      expect(() => createChooser(mix)).toThrow(RangeError)
    },
  )
})

describe('a mix', () => {
  it('tells each answer to the caller whose request it answers', () => {
    const heard: string[] = []
    const telling = (name: string): LoadOperation => ({
      name,
      weight: 1,
      callerOf: (): Caller => ({
        next: () => ({ method: 'GET', path: `/${name}` }),
        onAnswer: ({ body = '' }) => heard.push(`${name} ${body}`),
      }),
    })
    const caller = mixOf([telling('one'), telling('other')])(0)
    for (let turn = 0; turn < 20; turn += 1) {
      const { path } = caller.next()
      caller.onAnswer?.({ status: 200, headers: {}, body: path.slice(1) })
    }
    expect(new Set(heard)).toEqual(new Set(['one one', 'other other']))
  })
})
