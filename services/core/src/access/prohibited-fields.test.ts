/** What sales channels may never send: the table of packages/access-token and the definitions say the same. */
import { prohibitedFields } from '@merx/access-token/sales-channel-permissions'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { resources } from '../areas.ts'

const served = resources
  .filter(({ isPlanned }) => !isPlanned)
  .map((definition) => [definition.type, definition] as const)

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
