import { readFileSync } from 'node:fs'
import { tablesOf } from '../src/prisma-models.ts'
import { authTables, coreAreas, coreTables, dataModelPage, renderDataModel } from './data-model.ts'

describe('the data model page', () => {
  it('is what the schemas say; after an edit run `npm run gen`', () => {
    expect(readFileSync(dataModelPage, 'utf8')).toBe(renderDataModel())
  })

  it.each([...coreTables, ...authTables].map(({ name }) => name))('has a row for %s', (name) => {
    const isEnvironments = name === 'environments'
    expect(renderDataModel().includes(`| \`${name}\` | `)).toBe(!isEnvironments)
  })

  it('puts each table of core into one area', () => {
    const placed = [...coreAreas().values()].flat().map(({ name }) => name)
    const expected = coreTables.map(({ name }) => name).filter((name) => name !== 'environments')
    expect(placed.toSorted()).toEqual(expected.toSorted())
    expect(
      coreAreas()
        .get('orders')
        ?.map(({ name }) => name),
    ).toContain('orders')
  })
})

describe('tablesOf', () => {
  it('reads names, types and foreign keys, with and without @map', () => {
    const schema = [
      '/// Who buys.',
      'model Person {',
      '  id    BigInt  @id',
      '  cups  Cup[]',
      '  @@map("people")',
      '}',
      '',
      'model Cup {',
      '  id       BigInt  @id',
      '  ownerId  BigInt? @map("owner_id")',
      '  labels   String[]',
      '  owner    Person? @relation(fields: [ownerId], references: [id], onDelete: NoAction)',
      '  @@map("cups")',
      '}',
    ].join('\n')
    expect(tablesOf(schema)).toEqual([
      {
        name: 'people',
        note: 'Who buys.',
        columns: [{ name: 'id', type: 'BigInt', isOptional: false }],
        foreignKeys: [],
      },
      {
        name: 'cups',
        note: '',
        columns: [
          { name: 'id', type: 'BigInt', isOptional: false },
          { name: 'owner_id', type: 'BigInt', isOptional: true },
          { name: 'labels', type: 'String[]', isOptional: false },
        ],
        foreignKeys: [{ name: 'owner', target: 'people', isOptional: true }],
      },
    ])
  })

  it('refuses a text without models', () => {
    expect(() => tablesOf('datasource db {}')).toThrow('no models')
  })
})
