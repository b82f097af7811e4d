/** Text of a schema.prisma → its tables with columns and foreign keys, under their names in the database. */

export interface Column {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
}

export interface ForeignKey {
  /** The relation field, in snake_case. */
  readonly name: string
  readonly target: string
  readonly isOptional: boolean
}

export interface Table {
  readonly name: string
  /** The `///` lines above the model. */
  readonly note: string
  readonly columns: readonly Column[]
  readonly foreignKeys: readonly ForeignKey[]
}

interface Field {
  readonly name: string
  readonly type: string
  readonly isList: boolean
  readonly isOptional: boolean
  readonly attributes: string
}

interface Model {
  readonly name: string
  readonly table: string
  readonly note: string
  readonly fields: readonly Field[]
}

const MODEL = /((?:^\/\/\/.*\n)*)^model (\w+) \{\n([\s\S]*?)^\}/gm
const FIELD = /^ {2}(\w+)\s+(\w+)(\[\])?(\?)?([^\n]*)$/gm

const modelsOf = (schema: string): readonly Model[] =>
  [...schema.matchAll(MODEL)].map(([, note = '', name = '', body = '']) => ({
    name,
    table: mapped(/^ {2}@@map\("(\w+)"\)/m, body) ?? name,
    note: note
      .replaceAll(/^\/\/\/ ?/gm, '')
      .trim()
      .replaceAll('\n', ' '),
    fields: [...body.matchAll(FIELD)].map(([, field = '', type = '', list, optional, attributes = '']) => ({
      name: field,
      type,
      isList: list !== undefined,
      isOptional: optional !== undefined,
      attributes,
    })),
  }))

const mapped = (pattern: RegExp, text: string): string | undefined => pattern.exec(text)?.[1]

const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '')

/** @throws Error when the schema has no models, so that a change of its form is noticed. */
export const tablesOf = (schema: string): readonly Table[] => {
  const models = modelsOf(schema)
  if (models.length === 0) throw new Error('the schema has no models that this generator can read')
  const tableOfModel = new Map(models.map(({ name, table }) => [name, table]))
  return models.map(({ table, note, fields }) => ({
    name: table,
    note,
    columns: fields
      .filter(({ type }) => !tableOfModel.has(type))
      .map(({ name, type, isList, isOptional, attributes }) => ({
        name: mapped(/@map\("(\w+)"\)/, attributes) ?? name,
        type: isList ? `${type}[]` : type,
        isOptional,
      })),
    foreignKeys: fields
      .filter(({ attributes }) => /@relation\([^)]*fields:/.test(attributes))
      .map(({ name, type, isOptional }) => ({
        name: snakeCase(name),
        target: tableOfModel.get(type) ?? type,
        isOptional,
      })),
  }))
}
