/**
 * Reads the models of a Prisma schema as `prisma format` writes it: columns, types and keys in PostgreSQL's words.
 * A field has the name of its column (ADR 75).
 */

export interface PrismaField {
  readonly column: string
  readonly type: string
  readonly isOptional: boolean
  readonly hasDefault: boolean
}

export interface PrismaModel {
  /** With a small first letter, as the client has it. */
  readonly name: string
  readonly table: string
  readonly fields: readonly PrismaField[]
  /** "table primary (columns)", "table unique (columns)", "table (columns) → target (columns) onDelete onUpdate". */
  readonly keys: readonly string[]
}

const TYPES: Readonly<Record<string, string>> = {
  String: 'text',
  BigInt: 'bigint',
  Int: 'integer',
  Boolean: 'boolean',
  Json: 'jsonb',
  Float: 'double precision',
  Bytes: 'bytea',
}

const NATIVE_TYPES: Readonly<Record<string, string>> = {
  Decimal: 'numeric',
  Timestamptz: 'timestamptz',
  Uuid: 'uuid',
}

interface Block {
  readonly name: string
  readonly table: string
  readonly lines: readonly string[]
}

const toBlocks = (schema: string): readonly Block[] =>
  [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = '', body = '']) => ({
    name,
    table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name,
    lines: body
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  }))

const toField = (line: string): readonly PrismaField[] => {
  const [, name, prismaType, optional, attributes = ''] = /^(\w+)\s+(\w+)(\??)(?:\s+(.*))?$/.exec(line) ?? []
  if (name === undefined || prismaType === undefined) return []
  const [, native, size] = /@db\.(\w+)(?:\(([\d, ]+)\))?/.exec(attributes) ?? []
  const type =
    native === undefined
      ? TYPES[prismaType]
      : `${NATIVE_TYPES[native] ?? native}${size === undefined ? '' : `(${size})`}`
  if (type === undefined) return []
  return [
    {
      column: name,
      type,
      isOptional: optional === '?',
      hasDefault: attributes.includes('@default'),
    },
  ]
}

const toKeys = (block: Block, blocks: readonly Block[]): readonly string[] =>
  block.lines.flatMap((line) => {
    const key = /^@@(id|unique)\(\[([\w, ]+)\]/.exec(line)
    if (key !== null) {
      const [, kind, fields = ''] = key
      return [`${block.table} ${kind === 'id' ? 'primary' : 'unique'} (${fields})`]
    }
    const [first = '', type = ''] = line.split(/\s+/)
    if (/\s@id\b/.test(line)) return [`${block.table} primary (${first})`]
    const relation =
      /fields: \[([\w, ]+)\], references: \[([\w, ]+)\], onDelete: (\w+), onUpdate: (\w+)/.exec(line)
    const target = blocks.find(({ name }) => name === type.replace('?', ''))
    if (relation === null || target === undefined) return []
    const [, fields = '', references = '', onDelete = '', onUpdate = ''] = relation
    const to = `${target.table} (${references})`
    return [`${block.table} (${fields}) → ${to} ${onDelete} ${onUpdate}`]
  })

export const parsePrismaModels = (schema: string): readonly PrismaModel[] => {
  const blocks = toBlocks(schema)
  return blocks.map((block) => ({
    name: block.name.charAt(0).toLowerCase() + block.name.slice(1),
    table: block.table,
    fields: block.lines.filter((line) => !line.startsWith('@@')).flatMap(toField),
    keys: toKeys(block, blocks),
  }))
}
