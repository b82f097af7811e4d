import { exportTypes, importTypes } from './bulk-types.ts'
import { checkCsv, useOfColumn } from './check-csv.ts'
import { readCsv, readCsvFile, type CsvFile } from './read-csv.ts'

const read = (text: string): CsvFile => {
  const file = readCsv(text)
  if ('problem' in file) throw new Error(file.problem)
  return file
}

const check = (type: string, text: string, hasParent = false) => checkCsv(type, read(text), hasParent)

describe('a CSV file', () => {
  it('is read whatever separates its cells and ends its lines', () => {
    const file = {
      names: ['code', 'name'],
      rows: [
        ['A', 'x,y'],
        ['B', 'line\nbreak'],
      ],
    }
    expect(readCsv('\u{FEFF}code,name\r\nA,"x,y"\r\n\r\nB,"line\nbreak"\r\n')).toEqual(file)
    expect(readCsv('code;name\nA;x,y\nB;"line\nbreak"')).toEqual(file)
    expect(readCsv('code\tname\rA\tx,y\rB\t"line\nbreak"')).toEqual(file)
    expect(readCsv("name\n'=1+1\n'a")).toEqual({ names: ['name'], rows: [['=1+1'], ["'a"]] })
  })

  it.each([
    ['code,code\nA,B', 'The column code is there twice.'],
    ['code\n', 'The file needs a line of names, and a line for each record after it.'],
    ['', 'The file needs a line of names, and a line for each record after it.'],
    [`code\n${'A\n'.repeat(10_001)}`, 'An import has at most 10000 records: cut the file.'],
    ['code,name\nA', /^This is not CSV: /],
    ['code\n"A', /^This is not CSV: /],
  ])('%j is refused', (text, problem) => {
    const read = readCsv(text)
    expect('problem' in read ? read.problem : '').toMatch(problem)
  })

  it('is in UTF-8, and not too large', async () => {
    expect(await readCsvFile(new Blob(['name\nCaffè']))).toEqual({ names: ['name'], rows: [['Caffè']] })
    expect(await readCsvFile(new Blob(['name\n', Uint8Array.of(0xe8)]))).toEqual({
      problem: 'The file is not in UTF-8. Save it as CSV in UTF-8.',
    })
    expect(await readCsvFile(new Blob([new Uint8Array(8_000_001)]))).toEqual({
      problem: 'A file has at most 8 MB: cut it.',
    })
  })
})

describe('a column of an import', () => {
  it.each([
    ['prices', 'amount_cents', 'written'],
    ['prices', 'sku_code', 'written'],
    ['prices', 'price_list.code', 'written'],
    ['prices', 'price_list_id', 'written'],
    ['prices', 'id', 'written'],
    ['skus', 'tags.name', 'written'],
    ['skus', 'tags_ids', 'written'],
    ['orders', 'status', 'written'],
    ['orders', '_archive', 'written'],
    ['prices', 'created_at', 'left out'],
    ['prices', 'formatted_amount', 'left out'],
    ['prices', 'amount_float', 'left out'],
    ['skus', 'prices', 'left out'],
    ['skus', 'prices_ids', 'left out'],
    ['prices', 'price_list.name', 'refused'],
    ['prices', 'colour', 'refused'],
    ['prices', 'constructor', 'refused'],
    ['prices', '__proto__', 'refused'],
    ['prices', 'formatted_colour', 'refused'],
  ])('%s.%s is %s', (type, name, kind) => {
    expect(useOfColumn(type, name)).toMatchObject({ kind })
  })
})

describe('the cells of an import', () => {
  it('are checked by the kind of their attribute, empty ones not', () => {
    const { problems } = check(
      'prices',
      'sku_code,amount_cents,metadata\nA,1900,\nB,abc,{}\nC,1.5,{\nD,-1,\nE,,',
      true,
    )
    expect(problems).toEqual([
      { row: 2, column: 'amount_cents', value: 'abc', problem: 'must be a number' },
      { row: 3, column: 'amount_cents', value: '1.5', problem: 'must be a whole number' },
      { row: 3, column: 'metadata', value: '{', problem: 'must be JSON' },
      { row: 4, column: 'amount_cents', value: '-1', problem: 'must be at least 0' },
    ])
  })

  it('are of the values that there are, and not too long', () => {
    const { problems } = check(
      'skus',
      `code,unit_of_weight,do_not_ship,pieces_per_pack\n${'A'.repeat(256)},kg,maybe,99999999999\nB,gr,TRUE,1`,
    )
    expect(problems.map(({ row, problem }) => [row, problem])).toEqual([
      [1, 'has more than 255 characters'],
      [1, 'must be one of gr, oz, lb'],
      [1, 'must be true or false'],
      [1, 'must be at most 2147483647'],
    ])
  })

  it('lack what a new record needs, unless a parent or a code gives it', () => {
    expect(check('prices', 'sku_code,amount_cents\nA,1').missing).toEqual(['price_list'])
    expect(check('prices', 'sku_code,amount_cents\nA,1', true).missing).toEqual([])
    expect(check('skus', 'code\nA').missing).toEqual(['name', 'shipping_category'])
    expect(check('skus', 'code,name,shipping_category.code\nA,B,C').missing).toEqual([])
  })
})

it('is of the types that core takes', () => {
  expect(importTypes).toContain('prices')
  expect(importTypes).not.toContain('exports')
  expect(exportTypes).toContain('event_callbacks')
  expect(exportTypes).not.toContain('imports')
})
