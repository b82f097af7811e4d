/** The columns that schema.prisma declares, read from its text: the generated client leaves nullability out. */
import { readFile } from 'node:fs/promises'

export interface DeclaredColumn {
  readonly table: string
  readonly column: string
  readonly type: string
  /** Name of the PostgreSQL enum, for columns of one. */
  readonly enumName?: string
  readonly isUuid: boolean
  readonly isRequired: boolean
}

const BLOCK = /^(model|enum) (\w+) \{\n([^]*?)^\}/gm
const FIELD = /^ {2}(\w+) +(\w+)(\[\]|\?)?(.*)$/
const MAP = /[^@]@map\("(\w+)"\)/
const TABLE_MAP = /@@map\("(\w+)"\)/

interface Block {
  readonly kind: string
  readonly name: string
  readonly text: string
  readonly mappedName: string
}

const blocksOf = (schema: string): Block[] =>
  [...schema.matchAll(BLOCK)].map(([, kind = '', name = '', text = '']) => ({
    kind,
    name,
    text,
    mappedName: TABLE_MAP.exec(text)?.[1] ?? name,
  }))

export const readSchema = async (): Promise<DeclaredColumn[]> => {
  const blocks = blocksOf(await readFile(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8'))
  const models = new Set(blocks.filter(({ kind }) => kind === 'model').map(({ name }) => name))
  const enums = new Map(
    blocks.filter(({ kind }) => kind === 'enum').map(({ name, mappedName }) => [name, mappedName]),
  )
  return blocks
    .filter(({ kind }) => kind === 'model')
    .flatMap(({ text, mappedName: table }) =>
      text.split('\n').flatMap((line) => {
        const [, name = '', type = '', suffix, attributes = ''] = FIELD.exec(line) ?? []
        if (name === '' || models.has(type)) return []
        const enumName = enums.get(type)
        return [
          {
            table,
            column: MAP.exec(attributes)?.[1] ?? name,
            type,
            ...(enumName === undefined ? {} : { enumName }),
            isUuid: attributes.includes('@db.Uuid'),
            isRequired: suffix !== '?',
          },
        ]
      }),
    )
}
