/**
 * Writes services/console/page/src/records/types.json from the definitions: what the console shows of a record of each
 * type. `node services/core/gen/console-types.ts`
 */
import { writeFile } from 'node:fs/promises'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { resources } from '../src/areas.ts'

/** Where the list is kept. */
export const consoleTypesPath = new URL('../../console/page/src/records/types.json', import.meta.url)

/** By what people know a record, the best first. */
const NAMING = ['number', 'code', 'name', 'email', 'customer_email', 'sku_code', 'reference']

const typeOf = ({ path, type, isSingleton, operations, attributes, relationships }: ResourceDefinition) => {
  const shown = Object.entries(attributes).filter(
    ([, { kind, show }]) => kind !== 'trigger' && show !== 'never',
  )
  const naming = NAMING.filter((name) => attributes[name]?.kind === 'text' && attributes[name].filter)
  return {
    ...(path === type ? {} : { path }),
    ...(isSingleton ? { isSingleton } : {}),
    reads: isSingleton ? ['retrieve'] : operations.filter((name) => name === 'list' || name === 'retrieve'),
    attributes: Object.fromEntries(shown.map(([name, { kind }]) => [name, kind])),
    alone: shown.filter(([, { show }]) => show === 'single').map(([name]) => name),
    naming,
    relationships: Object.fromEntries(
      Object.entries(relationships).map(([name, { kind }]) => [name, kind === 'toMany' ? 'many' : 'one']),
    ),
  }
}

/** A line for each type, in the order of their names, so that changes can be read. */
export const renderConsoleTypes = (): string => {
  const lines = resources
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    .map((definition) => `${JSON.stringify(definition.type)}: ${JSON.stringify(typeOf(definition))}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

if (import.meta.main) await writeFile(consoleTypesPath, renderConsoleTypes())
