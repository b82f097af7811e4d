import { askOnce } from './ask-once.ts'

describe('what is asked once', () => {
  it('is kept, also for those who ask before the answer is there', async () => {
    let asked = 0
    const ask = askOnce(async () => {
      asked += 1
      return asked
    })
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
    expect(await ask()).toBe(1)
  })

  it('is asked again after a failure', async () => {
    let asked = 0
    const ask = askOnce(async () => {
      asked += 1
      if (asked === 1) throw new Error('away')
      return asked
    })
    await expect(ask()).rejects.toThrow('away')
    expect(await ask()).toBe(2)
    expect(await ask()).toBe(2)
  })
})
