import { readFile } from 'node:fs/promises'
import { customerPermissions, guestPermissions, prohibitedFields } from '../src/sales-channel-permissions.ts'
import { permissionsReferencePath, renderPermissionsReference } from './permissions-reference.ts'

describe('the permissions reference page', () => {
  it('is what the tables say; after an edit run `npm run gen`', async () => {
    expect(await readFile(permissionsReferencePath, 'utf8')).toBe(renderPermissionsReference())
  })

  it('has a row for every type of every table', () => {
    const [guests = '', customers = '', prohibited = ''] = renderPermissionsReference()
      .split('\n## ')
      .slice(2)
    for (const [section, types] of [
      [guests, Object.keys(guestPermissions)],
      [customers, Object.keys(customerPermissions)],
      [prohibited, Object.keys(prohibitedFields)],
    ] as const)
      for (const type of types) expect(section).toContain(`\n| ${type} |`)
  })

  it('shows what is granted and on which rows', () => {
    const page = renderPermissionsReference()
    expect(page).toContain('| skus |  | list, single |  |  | sellable in the market in scope |  |')
    expect(page).toContain('update: `{"status_in":["draft","pending"]}`')
  })
})
