import { createSharedTurns } from './shared-turns.ts'

const turnEnd = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const recordActs = (countMax = 3) => {
  const acts: { input: string; count: number }[] = []
  const turns = createSharedTurns<string, string>(countMax, async (input, count) => {
    acts.push({ input, count })
    return Array.from({ length: count }, (_, index) => `${input} ${index + 1}`)
  })
  return { acts, turns }
}

describe('callers of one turn', () => {
  it('share one act, and each gets its own answer in the order it came', async () => {
    const { acts, turns } = recordActs()
    expect(await Promise.all([turns.join('a', 'a'), turns.join('a', 'a')])).toEqual(['a 1', 'a 2'])
    expect(acts).toEqual([{ input: 'a', count: 2 }])
  })

  it('do not share with those of another key or of a later turn', async () => {
    const { acts, turns } = recordActs()
    const first = [turns.join('a', 'a'), turns.join('b', 'b')]
    await turnEnd()
    const second = turns.join('a', 'a')
    expect(await Promise.all([...first, second])).toEqual(['a 1', 'b 1', 'a 1'])
    expect(acts).toEqual([
      { input: 'a', count: 1 },
      { input: 'b', count: 1 },
      { input: 'a', count: 1 },
    ])
  })

  it('never get an answer to a question that was asked before theirs', async () => {
    let value = 'old'
    const turns = createSharedTurns<string, string>(10, async (_input, count) =>
      Array.from({ length: count }, () => value),
    )
    const early = turns.join('a', 'a')
    value = 'new'
    const late = turns.join('a', 'a')
    expect(await Promise.all([early, late])).toEqual(['new', 'new'])
  })

  it('are split when there are too many', async () => {
    const { acts, turns } = recordActs(3)
    const answers = await Promise.all(Array.from({ length: 7 }, () => turns.join('a', 'a')))
    expect(acts.map(({ count }) => count)).toEqual([3, 3, 1])
    expect(answers).toEqual(['a 1', 'a 2', 'a 3', 'a 1', 'a 2', 'a 3', 'a 1'])
  })

  it('all hear of a failure, and the next turn begins clean', async () => {
    let isBroken = true
    const turns = createSharedTurns<string, number>(10, async (_input, count) => {
      if (isBroken) throw new Error('broken')
      return Array.from({ length: count }, () => 1)
    })
    const both = await Promise.allSettled([turns.join('a', 'a'), turns.join('a', 'a')])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isBroken = false
    expect(await turns.join('a', 'a')).toBe(1)
  })

  it('hear of an act that has not an answer for each', async () => {
    const turns = createSharedTurns<string, number>(10, async () => [1])
    const both = await Promise.allSettled([turns.join('a', 'a'), turns.join('a', 'a')])
    expect(both[1]).toMatchObject({ status: 'rejected', reason: { message: '1 answers for 2 callers' } })
  })
})
