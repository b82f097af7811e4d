import { createPageQueue } from './page-queue.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('the queue of pages', () => {
  it('gives all pages that are there, in order', async () => {
    const queue = createPageQueue<number>({ max: 3 })
    await queue.push(1)
    await queue.push(2)
    expect(await queue.takeAll()).toEqual([1, 2])
  })

  it('makes a taker wait for the first page', async () => {
    const queue = createPageQueue<number>({ max: 3 })
    const taken = queue.takeAll()
    await settled()
    await queue.push(7)
    expect(await taken).toEqual([7])
  })

  it.each([
    ['it is full', { max: 2 }, [0, 0, 0]],
    [
      'a few pages are large, which are worth a batch',
      { max: 10, enough: 10, sizeMax: 100, patienceMs: 60_000 },
      [60, 60, 500],
    ],
  ])('makes a reader wait while %s', async (_while, options, [first, second, large]) => {
    const queue = createPageQueue<number>(options)
    await queue.push(1, first)
    await queue.push(2, second)
    let isIn = false
    const third = queue.push(3, large).then(() => {
      isIn = true
    })
    await settled()
    expect(isIn).toBe(false)
    expect(await queue.takeAll()).toEqual([1, 2])
    await third
    expect(await queue.takeAll()).toEqual([3])
  })

  it('gives what is in it before it throws what ended it, to both sides', async () => {
    const queue = createPageQueue<number>({ max: 1 })
    await queue.push(1)
    const waiting = queue.push(2)
    queue.end(new Error('the feed is away'))
    await expect(waiting).rejects.toThrow('the feed is away')
    expect(await queue.takeAll()).toEqual([1])
    await expect(queue.takeAll()).rejects.toThrow('the feed is away')
    await expect(queue.push(3)).rejects.toThrow('the feed is away')
  })

  it('waits for as many pages as are worth a batch', async () => {
    const queue = createPageQueue<number>({ max: 4, enough: 2, patienceMs: 60_000 })
    await queue.push(1)
    let isTaken = false
    const taken = queue.takeAll().finally(() => {
      isTaken = true
    })
    await settled()
    expect(isTaken).toBe(false)
    await queue.push(2)
    expect(await taken).toEqual([1, 2])
  })

  it('waits for no other page after the last one, after the end, or for longer than it may', async () => {
    const queue = createPageQueue<number>({ max: 4, enough: 3, isLast: (page) => page === 9, patienceMs: 10 })
    await queue.push(9)
    expect(await queue.takeAll()).toEqual([9])
    await queue.push(1)
    expect(await queue.takeAll()).toEqual([1])
    await queue.push(2)
    const taken = queue.takeAll()
    queue.end(new Error('the feed is away'))
    expect(await taken).toEqual([2])
  })
})
