import { setImmediate as nextTurn } from 'node:timers/promises'
import { GATHER_MS, GATHERED_MAX, gatherSignatures, type After } from './gather-signatures.ts'

/** As many signatures under way, which the test ends; `handedOn` has the numbers of those that were handed on. */
const begin = (count: number) => {
  const timers = new Set<{ milliseconds: number; act: () => void }>()
  const after: After = (milliseconds, act) => {
    const timer = { milliseconds, act }
    timers.add(timer)
    return () => timers.delete(timer)
  }
  const signTogether = gatherSignatures(after)
  const handedOn: number[] = []
  const signatures = Array.from({ length: count }, () => Promise.withResolvers<number>())
  const answers = signatures.map(async ({ promise }, number) => {
    const answer = await signTogether(() => promise)
    handedOn.push(number)
    return answer
  })
  return {
    answers,
    handedOn,
    signatures,
    /** Milliseconds of what is to happen. */
    timers: () => [...timers].map(({ milliseconds }) => milliseconds),
    runTimers: async () => {
      for (const { act } of timers) act()
      await nextTurn()
    },
    make: async (number: number): Promise<void> => {
      signatures[number]?.resolve(number)
      await nextTurn()
    },
  }
}

describe('signatures that are made at the same time', () => {
  it('do not wait where there is one', async () => {
    const { answers, handedOn, make, timers } = begin(1)
    await make(0)
    expect(handedOn).toEqual([0])
    await expect(answers[0]).resolves.toBe(0)
    expect(timers()).toEqual([])
  })

  it('go on once as many are made as are under way', async () => {
    const { handedOn, make, timers } = begin(5)
    await make(3)
    await make(0)
    expect(handedOn).toEqual([])
    await make(4)
    expect(handedOn).toEqual([3, 0, 4])
    await make(1)
    expect(handedOn).toEqual([3, 0, 4, 1])
    await make(2)
    expect(handedOn).toEqual([3, 0, 4, 1, 2])
    expect(timers()).toEqual([])
  })

  it('go on sixteen at a time where many more are under way', async () => {
    const { handedOn, make } = begin(100)
    for (let number = 0; number < GATHERED_MAX - 1; number += 1) await make(number)
    expect(handedOn).toEqual([])
    await make(GATHERED_MAX - 1)
    expect(handedOn).toHaveLength(GATHERED_MAX)
    await make(GATHERED_MAX)
    expect(handedOn).toHaveLength(GATHERED_MAX)
  })

  it('wait ten milliseconds at most, counted from the first', async () => {
    const { handedOn, make, runTimers, timers } = begin(10)
    await make(0)
    await make(1)
    expect(handedOn).toEqual([])
    expect(timers()).toEqual([GATHER_MS])
    await runTimers()
    expect(handedOn).toEqual([0, 1])
    expect(timers()).toEqual([])
    await make(2)
    expect(handedOn).toEqual([0, 1])
    expect(timers()).toEqual([GATHER_MS])
    await runTimers()
    expect(handedOn).toEqual([0, 1, 2])
  })

  it('wait by the clock where no test keeps the time', async () => {
    const signTogether = gatherSignatures()
    const other = Promise.withResolvers<string>()
    const third = Promise.withResolvers<string>()
    const answers = [other, third].map(({ promise }) => signTogether(() => promise))
    await expect(signTogether(async () => 'first')).resolves.toBe('first')
    other.resolve('second')
    third.resolve('third')
    await expect(Promise.all(answers)).resolves.toEqual(['second', 'third'])
  })

  it('count one that failed as made, and hand its error on', async () => {
    const { answers, handedOn, make, signatures } = begin(3)
    await make(0)
    expect(handedOn).toEqual([])
    const failed = expect(answers[1]).rejects.toThrow('no key')
    signatures[1]?.reject(new Error('no key'))
    await failed
    expect(handedOn).toEqual([0])
  })
})
