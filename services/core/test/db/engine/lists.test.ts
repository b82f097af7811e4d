/** Pages, counts and order of collections on real PostgreSQL. */
import type { Row } from '@merx/jsonapi/attributes'
import { columnOf } from '@merx/jsonapi/columns'
import { openStore } from '../../support/open-store.ts'
import type { TestStore } from '../../support/open-store.ts'

let store: TestStore

beforeAll(async () => {
  store = await openStore('lists')
  await store.pool.query(`INSERT INTO skus (environment_id, code, name, shipping_category_id, weight)
    SELECT 1, 'BULK-' || lpad(n::text, 3, '0'), 'Bulk ' || n % 7, 1, nullif(n % 5, 0) FROM generate_series(1, 57) AS n`)
})
afterAll(() => store.close())

const TOTAL = 63

describe('pages', () => {
  it.each([1, 7, 10, 25])('of size %d show every record once, and the same count on each', async (size) => {
    const seen: number[] = []
    for (let number = 1; number <= Math.ceil(TOTAL / size); number += 1) {
      const page = await store.list('skus', `page[size]=${size}&page[number]=${number}&sort=name`)
      expect(page.recordCount).toBe(TOTAL)
      seen.push(...page.records.map((record) => record.number))
    }
    expect(new Set(seen).size).toBe(TOTAL)
  })

  it('beyond the last is empty with the true count', async () => {
    expect(await store.list('skus', 'page[number]=99')).toEqual({ records: [], recordCount: TOTAL })
    expect((await store.list('skus', 'page[number]=2147483647&page[size]=25')).records).toEqual([])
  })

  it('of nothing is empty with zero', async () => {
    expect(await store.list('skus', 'filter[code]=NOPE')).toEqual({ records: [], recordCount: 0 })
    expect(await store.list('skus', '', { environmentId: 2 })).toEqual({ records: [], recordCount: 0 })
  })

  it('come in creation order when no sort is asked for', async () => {
    const { records } = await store.list('skus', 'page[size]=25')
    const numbers = records.map(({ number }) => number)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  })

  it('walk through all with sort=id and id_gt', async () => {
    const seen: string[] = []
    for (let after = ''; ;) {
      const filter = after === '' ? '' : `&filter[q][id_gt]=${after}`
      const { records } = await store.list('skus', `sort=id&page[size]=25${filter}`)
      seen.push(...records.map(({ id }) => id))
      const last = records.at(-1)
      if (last === undefined) break
      after = last.id
    }
    expect(new Set(seen).size).toBe(TOTAL)
    expect(seen).toHaveLength(TOTAL)
  })
})

describe('sort', () => {
  const sortable = async () => {
    const { registry } = await Promise.resolve(store)
    return registry.definitions
      .filter(({ isSingleton }) => !isSingleton)
      .flatMap((definition) =>
        Object.entries(definition.attributes).flatMap(([name, attribute]) =>
          attribute.sort ? [{ definition, name, column: columnOf(name, attribute) }] : [],
        ),
      )
  }

  const key = (row: Row, column: string): string | number | undefined => {
    const value = row[column]
    if (value === null || value === undefined) return undefined
    if (value instanceof Date) return value.getTime()
    return typeof value === 'number' ? value : typeof value === 'string' ? value : Number(value)
  }

  it('orders by every sortable attribute of every resource, both ways, nulls as the greatest', async () => {
    const attributes = await sortable()
    expect(attributes.length).toBeGreaterThan(100)
    for (const { definition, name, column } of attributes) {
      for (const sign of ['', '-']) {
        const { records } = await store.list(definition.type, `sort=${sign}${name}&page[size]=25`)
        const keys = records.map(({ row }) => key(row, column))
        const firstNull = keys.indexOf(undefined)
        const known = keys.filter((value) => value !== undefined)
        if (firstNull >= 0)
          expect(keys.slice(firstNull).filter((value) => value !== undefined)).toHaveLength(
            sign === '' ? 0 : known.length,
          )
        if (known.every((value) => typeof value === 'number')) {
          const ascending = [...known].sort((a, b) => a - b)
          expect(known).toEqual(sign === '' ? ascending : ascending.reverse())
        }
      }
    }
  })

  it('orders by every sortable relationship', async () => {
    for (const definition of store.registry.definitions) {
      for (const [name, { sort }] of Object.entries(definition.relationships)) {
        if (sort) await store.list(definition.type, `sort=${name},-id`)
      }
    }
  })

  it('by several fields breaks ties by the next, at last by id', async () => {
    const { records } = await store.list('skus', 'sort=-name,code&page[size]=25')
    const keys = records.map(({ row }) => [String(row['name']), String(row['code'])] as const)
    for (const [at, [name, code]] of keys.entries()) {
      const next = keys[at + 1]
      if (next?.[0] === name) expect(code < next[1]).toBe(true)
    }
  })
})

describe('statements', () => {
  it('count in the same snapshot as the page while others write', async () => {
    let isWriting = true
    const writer = (async () => {
      while (isWriting) {
        await store.pool.query(
          "INSERT INTO customer_groups (id, environment_id, name) SELECT n, 1, 'x' FROM generate_series(9000, 9019) AS n",
        )
        await store.pool.query('DELETE FROM customer_groups WHERE id BETWEEN 9000 AND 9019')
      }
    })()
    for (let count = 0; count < 60; count += 1) {
      const { records, recordCount } = await store.list('customer_groups', 'page[size]=25')
      expect(records).toHaveLength(recordCount)
    }
    isWriting = false
    await writer
  })
})
