/** Filters of a list → SQL. Values only as parameters; names of columns come from definitions. */
import { columnOf, foreignKeyOf } from '@merx/jsonapi/columns'
import { valueKindOfField } from '@merx/jsonapi/filter-fields'
import type { Field, FieldPath, Filter, FilterScalar, FilterTest } from '@merx/jsonapi/query'
import { Prisma } from './generated/client.ts'
import { sourceOf } from './provisioned-sources.ts'

const IDENTIFIER = /^[a-z][a-z0-9_]{0,62}$/

/** A second look: definitions are checked at load. */
export const column = (alias: string, name: string): Prisma.Sql => {
  if (!IDENTIFIER.test(name)) throw new Error(`"${name}" is no column`)
  return Prisma.raw(`${alias}."${name}"`)
}

export const columnOfField = (field: Field): string => {
  switch (field.kind) {
    case 'id':
      return 'id'
    case 'attribute':
      return columnOf(field.name, field.attribute)
    case 'toOneKey':
      return foreignKeyOf(field.name, field.relationship)
    case 'polymorphicKey':
      throw new Error(`${field.name}: nothing that is provisioned has relationships to several types`)
  }
}

const OPERATORS = { eq: '=', not_eq: '<>', lt: '<', lteq: '<=', gt: '>', gteq: '>=' } as const

const joined = (parts: readonly Prisma.Sql[], word: 'any' | 'all' | 'or' | 'and'): Prisma.Sql =>
  Prisma.sql`(${Prisma.join([...parts], word === 'any' || word === 'or' ? ' OR ' : ' AND ')})`

/** PostgreSQL has no year 0, which Prisma would write: what is before year 1 is before anything that is stored. */
const instantParameter = (value: Date): Prisma.Sql =>
  value.getUTCFullYear() < 1 ? Prisma.sql`'-infinity'::timestamptz` : Prisma.sql`${value}`

/** A whole number may be larger than any in its column: compared as it is, PostgreSQL would refuse it. */
const toParameter = (value: FilterScalar): Prisma.Sql => {
  if (typeof value === 'number') return Prisma.sql`${BigInt(value)}::bigint`
  if (value instanceof Date) return instantParameter(value)
  if (typeof value !== 'object') return Prisma.sql`${value}`
  throw new Error('a key of several types has no column')
}

const testColumn = (subject: Prisma.Sql, isText: boolean, test: FilterTest): Prisma.Sql => {
  switch (test.kind) {
    case 'null':
      return test.expected ? Prisma.sql`${subject} IS NULL` : Prisma.sql`${subject} IS NOT NULL`
    case 'blank': {
      const blank = isText ? Prisma.sql`coalesce(${subject}, '') = ''` : Prisma.sql`${subject} IS NULL`
      return test.expected ? blank : Prisma.sql`NOT (${blank})`
    }
    case 'containsJson':
      return Prisma.sql`${subject} @> ${JSON.stringify(test.value)}::jsonb`
    case 'like': {
      const operator = Prisma.raw(test.isNegated ? 'NOT ILIKE' : 'ILIKE')
      const parts = test.patterns.map((pattern) => Prisma.sql`${subject} ${operator} ${pattern}`)
      return joined(parts, test.quantifier)
    }
    case 'compare': {
      const operator = Prisma.raw(OPERATORS[test.comparison])
      const parts = test.values.map((value) => Prisma.sql`${subject} ${operator} ${toParameter(value)}`)
      const compared = joined(parts, test.quantifier)
      return test.orNull ? Prisma.sql`(${compared} OR ${subject} IS NULL)` : compared
    }
  }
}

/** The row that relationships lead to, or, when only its id is asked for, the key that leads there. */
const testPath = (path: FieldPath, test: FilterTest, alias: string, organizationId: bigint): Prisma.Sql => {
  const [step, ...rest] = path.steps
  if (step === undefined) {
    const isText = valueKindOfField(path.field) === 'text'
    return testColumn(column(alias, columnOfField(path.field)), isText, test)
  }
  if (step.relationship.kind !== 'toOne')
    throw new Error(`${step.name}: only to-one relationships are filtered`)
  const key = column(alias, foreignKeyOf(step.name, step.relationship))
  if (rest.length === 0 && path.field.kind === 'id') return testColumn(key, false, test)
  const next = `${alias}r`
  const inner = testPath({ ...path, steps: rest }, test, next, organizationId)
  return Prisma.sql`EXISTS (
    SELECT 1 FROM ${sourceOf(step.to, next, organizationId)} WHERE ${column(next, 'id')} = ${key} AND ${inner})`
}

/** One condition that is true of the rows under `alias` that all filters let through. */
export const filterCondition = (
  filters: readonly Filter[],
  alias: string,
  organizationId: bigint,
): Prisma.Sql =>
  filters.length === 0
    ? Prisma.sql`true`
    : joined(
        filters.map(({ tests, combinator }) =>
          joined(
            tests.map(({ path, test }) => testPath(path, test, alias, organizationId)),
            combinator,
          ),
        ),
        'and',
      )
