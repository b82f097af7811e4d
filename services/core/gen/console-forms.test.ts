import { readFile } from 'node:fs/promises'
import { resources } from '../src/areas.ts'
import { consoleFormsPath, renderConsoleForms } from './console-forms.ts'

interface Form {
  readonly operations: readonly string[]
  readonly fields: Readonly<Record<string, object>>
  readonly relationships: Readonly<Record<string, object>>
  readonly triggers: Readonly<Record<string, string>>
}

const { types, values } = JSON.parse(renderConsoleForms()) as {
  readonly types: Readonly<Record<string, Form>>
  readonly values: readonly (readonly string[])[]
}

describe('the forms of the console', () => {
  it('are what the definitions say; after an edit run `npm run gen`', async () => {
    expect(await readFile(consoleFormsPath, 'utf8')).toBe(renderConsoleForms())
  })

  it('are of every type that can be written', () => {
    const written = resources
      .filter(({ operations }) => operations.some((name) => name !== 'list' && name !== 'retrieve'))
      .map(({ type }) => type)
    expect(Object.keys(types)).toEqual(written.toSorted())
  })

  it('have what may be sent, and nothing else', () => {
    const { skus, customers, orders } = types
    expect(skus).toMatchObject({
      operations: ['create', 'update', 'delete'],
      fields: { code: { kind: 'text', required: true }, weight: { kind: 'float' } },
      relationships: { shipping_category: { targets: ['shipping_categories'] } },
      triggers: { _add_tags: 'text' },
    })
    expect(skus?.fields).not.toHaveProperty('created_at')
    expect(customers?.fields['password']).toMatchObject({ isSecret: true })
    expect(orders?.fields).not.toHaveProperty('status')
    expect(orders?.triggers).not.toHaveProperty('_approve')
  })

  it('name values that there are', () => {
    const named = Object.values(types)
      .flatMap(({ fields }) => Object.values(fields))
      .flatMap((field) => ('values' in field ? [field.values as number] : []))
    expect(named.length).toBeGreaterThan(0)
    for (const at of named) expect(values[at]?.length).toBeGreaterThan(0)
  })
})
