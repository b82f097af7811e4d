/**
 * The tables in their present shape: one CREATE TABLE each in tables/, as a single server has it. What a server or a cluster
 * runs is made from it (render-ddl.ts).
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Tables that are rebuilt from the feed when their shape changes. */
export const FED_TABLES = ['orders', 'returns'] as const
export type FedTable = (typeof FED_TABLES)[number]

const read = (file: string): string => readFileSync(new URL(`../../tables/${file}`, import.meta.url), 'utf8')

/** Without comments and final semicolons, so that neither changes a shape. */
const statementsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

const fedDefinition = (table: FedTable, text = read(`${table}.sql`)): string => {
  const [statement, ...more] = statementsOf(text)
  if (statement === undefined || more.length > 0) throw new Error(`${table}.sql must hold one statement`)
  return statement
}

export const fedDefinitions: Readonly<Record<FedTable, string>> = {
  orders: fedDefinition('orders'),
  returns: fedDefinition('returns'),
}

export const controlDefinitions: readonly string[] = statementsOf(read('control.sql'))

const nameOf = (definition: string): string => /^CREATE TABLE (\w+)/.exec(definition)?.[1] ?? ''

/** Definitions by the name of their table. */
export const controlTables: Readonly<Record<string, string>> = Object.fromEntries(
  controlDefinitions.map((definition) => [nameOf(definition), definition]),
)

/** The fingerprint of the tables that these files define. */
export const fingerprintOf = (texts: Readonly<Partial<Record<FedTable, string>>>): string =>
  createHash('sha256')
    .update(FED_TABLES.map((table) => fedDefinition(table, texts[table]).replaceAll(/\s+/g, ' ')).join(';'))
    .digest('hex')

/** Of the present definitions; another one needs the next number in tables/shapes.json. */
export const fingerprint = fingerprintOf({})

/** Fingerprints of the shapes so far, by number from 1 on; the last one is the present. */
export const shapes = JSON.parse(read('shapes.json')) as readonly string[]

/** The number of the present shape. A store of a lower one is rebuilt. */
export const SHAPE = shapes.length
