import { readFile } from 'node:fs/promises'
import { coreResourcesPath, PROOFS, renderCoreResources } from './core-resources.ts'

describe('the reference of core resources', () => {
  it('is what the definitions say; after an edit run `npm run gen`', async () => {
    expect(await readFile(coreResourcesPath, 'utf8')).toBe(renderCoreResources())
  })

  it('names operations, values, who may send what, filters and sorts', () => {
    const page = renderCoreResources()
    expect(page).toContain(
      '| [skus](#skus) | `/api/skus/<id>` | yes | yes | yes | yes | yes | yes | yes | lr | lr |',
    )
    expect(page).toContain(
      '| [organizations](#organizations) | `/api/organization` |  | yes |  |  |  |  |  | r | r |',
    )
    expect(page).toContain(
      '| [authorizations](#authorizations) | `/api/authorizations/<id>` | yes | yes |  | yes |  |  | yes |  |  |',
    )
    expect(page).toContain(
      '| [sku_lists](#sku_lists) | `/api/sku_lists/<id>` | yes | yes | yes | yes | yes | yes | yes | r | rcud |',
    )
    expect(page).toContain('| `code` | text, up to 255, unique | create, update; required | yes | yes |')
    expect(page).toContain(
      '| `amount_cents` `amount_float` `formatted_amount` | cents, from 0 | create, update; required | yes | yes |',
    )
    expect(page).toContain(
      '| `shipping_category` | `shipping_categories` | create, update; required | yes | yes | yes |',
    )
    expect(page).toContain('| `pageSizeMax` | 25 |')
  })

  it('names tests that walk the definitions', async () => {
    for (const test of Object.values(PROOFS)) {
      const text = await readFile(new URL(`../${test}`, import.meta.url), 'utf8')
      expect([test, /registry\.definitions|\bresources\b|\bIMPORTABLE\b/.test(text)]).toEqual([test, true])
    }
  })
})
