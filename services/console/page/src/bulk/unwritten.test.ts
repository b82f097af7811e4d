import { readCsv } from './read-csv.ts'
import { unwrittenRows } from './unwritten.ts'

const attributes = (processed_count: number, errors_log: Readonly<Record<string, unknown>>) => ({
  ...{ resource_type: 'prices', format: 'csv', status: 'completed', created_at: '2026-01-01T00:00:00Z' },
  ...{ started_at: null, completed_at: null, processed_count, errors_log },
  errors_count: Object.keys(errors_log).length,
})

const itemsOf = (...codes: readonly string[]) =>
  codes.map((sku_code, at) => ({ sku_code, cents: String(at) }))

const HEAD = ['sku_code', 'cents', 'problem']

describe('the rows that were not written', () => {
  it('are those of the log, with every message', () => {
    const log = { B: { amount_cents: ['is not a number', 'is bad'], base: ['is refused'] } }
    expect(unwrittenRows(itemsOf('A', 'B', 'C'), attributes(2, log))).toEqual([
      HEAD,
      ['B', '1', 'row 2: amount_cents is not a number; amount_cents is bad; base is refused'],
    ])
  })

  it('are told apart by their place where they have one name or none', () => {
    const log = { A: { x: ['1'] }, 'A (item 4)': { x: ['2'] }, 'item 5': { x: ['3'] } }
    expect(unwrittenRows(itemsOf('A', 'B', 'C', 'A', ''), attributes(2, log))).toEqual([
      HEAD,
      ['A', '0', 'row 1: x 1'],
      ['A', '3', 'row 4: x 2'],
      ['', '4', 'row 5: x 3'],
    ])
  })

  it('are all that the log may mean', () => {
    expect(unwrittenRows(itemsOf('A', 'A', 'B'), attributes(2, { A: { x: ['1'] } }))).toEqual([
      HEAD,
      ['A', '0', 'row 1/2: x 1'],
      ['A', '1', 'row 1/2: x 1'],
    ])
  })

  it('are those behind an interruption, too', () => {
    const log = { B: { x: ['1'] }, import: { base: ['failed for a reason that was logged'] } }
    const interrupted = { ...attributes(1, log), errors_count: 1 }
    expect(unwrittenRows(itemsOf('A', 'B', 'B', 'C'), interrupted)).toEqual([
      HEAD,
      ['B', '1', 'row 2: x 1'],
      ['B', '2', 'not reached'],
      ['C', '3', 'not reached'],
    ])
  })

  it('can be imported as they are: the column of problems is no part of a record', () => {
    expect(readCsv('code,problem,name\nA,row 2: name is blank,B\n')).toEqual({
      names: ['code', 'name'],
      rows: [['A', 'B']],
    })
  })
})
