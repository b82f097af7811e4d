import { readFile } from 'node:fs/promises'
import { coreResourcesPath, renderCoreResources } from './core-resources.ts'

describe('the reference of core resources', () => {
  it('is what the definitions say; after an edit run `npm run gen`', async () => {
    expect(await readFile(coreResourcesPath, 'utf8')).toBe(renderCoreResources())
  })

  it('names operations, values, who may send what, filters and sorts', () => {
    const page = renderCoreResources()
    expect(page).toContain('| [skus](#skus) | `/api/skus/<id>` | yes | yes | yes | yes | yes | yes |')
    expect(page).toContain('| [organizations](#organizations) | `/api/organization` |  | yes |  |  |  |  |')
    expect(page).toContain('| `code` | text, up to 255, unique | create, update; required | yes | yes |')
    expect(page).toContain(
      '| `amount_cents` `amount_float` `formatted_amount` | cents, from 0 | create, update; required | yes | yes |',
    )
    expect(page).toContain(
      '| `shipping_category` | `shipping_categories` | create, update; required | yes | yes | yes |',
    )
    expect(page).toContain('| `pageSizeMax` | 25 |')
  })
})
