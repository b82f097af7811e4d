/** The tables of packages/access-token about sales channels and the definitions say the same. */
import {
  customerPermissions,
  guestPermissions,
  prohibitedFields,
} from '@merx/access-token/sales-channel-permissions'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { resources } from '../areas.ts'

const served = resources.map((definition) => [definition.type, definition] as const)

it.each(Object.entries({ customerPermissions, guestPermissions, prohibitedFields }))(
  '%s names only types that there are',
  (_name, table) => {
    const types = resources.map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(Object.keys(table)))
  },
)

const declared = ({ attributes, relationships }: ResourceDefinition) =>
  Object.entries({ ...attributes, ...relationships })

describe.each(served)('%s', (type, definition) => {
  const table = prohibitedFields[type] ?? []

  it('marks every field of the table as prohibited, and no other', () => {
    const marked = declared(definition).flatMap(([name, { prohibited }]) => (prohibited ? [name] : []))
    const listed = declared(definition).flatMap(([name]) => (table.includes(name) ? [name] : []))
    expect(marked.sort()).toEqual(listed.sort())
  })
})
