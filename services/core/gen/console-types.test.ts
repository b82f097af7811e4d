import { readFile } from 'node:fs/promises'
import { resources } from '../src/areas.ts'
import { consoleTypesPath, renderConsoleTypes } from './console-types.ts'

describe('the types that the console shows', () => {
  const types = JSON.parse(renderConsoleTypes()) as Record<
    string,
    { attributes: object; relationships: object }
  >

  it('are what the definitions say; after an edit run `npm run gen`', async () => {
    expect(await readFile(consoleTypesPath, 'utf8')).toBe(renderConsoleTypes())
  })

  it('are all', () => {
    expect(Object.keys(types)).toEqual(resources.map(({ type }) => type).toSorted())
  })

  it('have nothing that is never shown, and no trigger', () => {
    expect(types['customers']?.attributes).not.toHaveProperty('password')
    expect(types['orders']?.attributes).not.toHaveProperty('_place')
    expect(types['skus']?.relationships).toMatchObject({ prices: 'many', shipping_category: 'one' })
    expect(types['price_lists']?.relationships).toMatchObject({ price_list_schedulers: 'many' })
  })
})
