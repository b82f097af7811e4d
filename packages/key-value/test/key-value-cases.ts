/** What every KeyValue promises; run against each implementation. */
import type { KeyValue } from '../src/key-value.ts'

export interface Subject {
  readonly store: KeyValue
  /** Lets the store's time pass. */
  elapse(seconds: number): Promise<void>
}

const ttl = { ttlSeconds: 60 }

export const describeKeyValue = (title: string, subject: () => Subject): void => {
  describe(title, () => {
    const store = (): KeyValue => subject().store

    it('gives back what was set, and undefined for what was not', async () => {
      await store().set('a', 'one', ttl)
      expect(await store().get('a')).toBe('one')
      expect(await store().get('b')).toBeUndefined()
    })

    it('keeps the empty string and every character as they are', async () => {
      await store().set('empty', '', ttl)
      await store().set('text', 'žluť\u0000\n"🛒', ttl)
      expect(await store().get('empty')).toBe('')
      expect(await store().get('text')).toBe('žluť\u0000\n"🛒')
    })

    it('ends an entry when its lifetime is over, not before', async () => {
      await store().set('a', 'one', ttl)
      await subject().elapse(59)
      expect(await store().get('a')).toBe('one')
      await subject().elapse(1)
      expect(await store().get('a')).toBeUndefined()
    })

    it('starts a new lifetime with every set', async () => {
      await store().set('a', 'one', ttl)
      await subject().elapse(50)
      await store().set('a', 'two', ttl)
      await subject().elapse(50)
      expect(await store().get('a')).toBe('two')
    })

    it('sets if absent only once, and again after the end', async () => {
      expect(await store().setIfAbsent('a', 'one', ttl)).toBe(true)
      expect(await store().setIfAbsent('a', 'two', ttl)).toBe(false)
      expect(await store().get('a')).toBe('one')
      await subject().elapse(60)
      expect(await store().setIfAbsent('a', 'three', ttl)).toBe(true)
    })

    it('does not lengthen a life by a refused setIfAbsent', async () => {
      await store().setIfAbsent('a', 'one', ttl)
      await subject().elapse(30)
      await store().setIfAbsent('a', 'two', ttl)
      await subject().elapse(30)
      expect(await store().get('a')).toBeUndefined()
    })

    it('lets exactly one of many setIfAbsent at once win', async () => {
      const values = Array.from({ length: 50 }, (_, index) => String(index))
      const wins = await Promise.all(values.map((value) => store().setIfAbsent('a', value, ttl)))
      expect(wins.filter(Boolean)).toHaveLength(1)
      expect(await store().get('a')).toBe(values[wins.indexOf(true)])
    })

    it('gives a value to exactly one of many take at once', async () => {
      await store().set('code', 'one', ttl)
      const taken = await Promise.all(Array.from({ length: 50 }, () => store().take('code')))
      expect(taken.filter((value) => value === 'one')).toHaveLength(1)
      expect(taken.filter((value) => value === undefined)).toHaveLength(49)
      expect(await store().get('code')).toBeUndefined()
    })

    it('takes nothing that has ended', async () => {
      await store().set('code', 'one', ttl)
      await subject().elapse(60)
      expect(await store().take('code')).toBeUndefined()
    })

    it('deletes, also what is not there', async () => {
      await store().set('a', 'one', ttl)
      await store().delete('a')
      await store().delete('a')
      expect(await store().get('a')).toBeUndefined()
    })

    it.each([
      ['an empty key', () => store().get(''), 'a key has 1 to 512 bytes, not 0'],
      ['a key too long in bytes', () => store().take('ž'.repeat(257)), 'a key has 1 to 512 bytes, not 514'],
      ['deleting a bad key', () => store().delete(''), 'a key has 1 to 512 bytes'],
      ['a value too long', () => store().set('a', 'x'.repeat(65_537), ttl), 'at most 65536 bytes, not 65537'],
      [
        'no lifetime',
        () => store().set('a', 'x', { ttlSeconds: 0 }),
        'ttlSeconds is a whole number from 1 to 2678400, not 0',
      ],
      ['half a second', () => store().setIfAbsent('a', 'x', { ttlSeconds: 0.5 }), 'not 0.5'],
      ['an endless lifetime', () => store().set('a', 'x', { ttlSeconds: Infinity }), 'not Infinity'],
    ])('refuses %s', async (_title, act, message) => {
      await expect(act()).rejects.toThrow(RangeError)
      await expect(act()).rejects.toThrow(message)
    })
  })
}
