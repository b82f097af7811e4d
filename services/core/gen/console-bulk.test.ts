import { readFile } from 'node:fs/promises'
import { IMPORTABLE } from '../src/bulk/imports/importable.ts'
import { consoleBulkPath, renderConsoleBulk } from './console-bulk.ts'

interface Import {
  readonly keys: readonly (readonly string[])[]
  readonly parent?: string
  readonly parentType?: string
  readonly also: readonly string[]
  readonly named: Readonly<Record<string, readonly string[]>>
}

const { imports, exports, inputsMax } = JSON.parse(renderConsoleBulk()) as {
  readonly imports: Readonly<Record<string, Import>>
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly inputsMax: number
}

describe('what the console imports and exports', () => {
  it('is what the definitions say; after an edit run `npm run gen`', async () => {
    expect(await readFile(consoleBulkPath, 'utf8')).toBe(renderConsoleBulk())
  })

  it('is every type that core imports, and every one with a list', () => {
    const importable = IMPORTABLE.map(({ type }) => type)
    expect(Object.keys(imports)).toEqual(importable.toSorted())
    expect(Object.keys(exports)).toEqual(expect.arrayContaining(['orders', 'skus', 'event_callbacks']))
    expect(exports).not.toHaveProperty('imports')
    expect(inputsMax).toBe(10_000)
  })

  it('names keys, the parent, and how a target is named', () => {
    expect(imports['prices']).toMatchObject({
      keys: [['sku_id', 'price_list_id']],
      ...{ parent: 'price_list', parentType: 'price_lists' },
      named: { price_list: ['code'], sku: ['code'] },
    })
    expect(imports['orders']?.also).toEqual(expect.arrayContaining(['status', '_archive']))
  })

  it('has filters with the kind of their value', () => {
    expect(exports['prices']).toMatchObject({ amount_cents: 'cents', created_at: 'instant' })
    expect(exports['prices']).not.toHaveProperty('metadata')
  })
})
