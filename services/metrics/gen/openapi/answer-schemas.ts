/** What the interface answers, and the errors of the catalogue by their status. */
import { metricsErrors } from '@merx/errors/catalogue'
import { statusName } from '@merx/errors/status-name'
import { objectOf, refTo, type Schema } from './schema.ts'

const numberOrNull: Schema = { type: ['number', 'null'] }

const meta = (type: Schema, more: Readonly<Record<string, Schema>> = {}): Schema =>
  objectOf(
    {
      ...more,
      type,
      trace_id: { type: 'string', format: 'uuid' },
      mode: { type: 'string', enum: ['test', 'live'] },
      organization_id: { type: 'string' },
      market_ids: { type: 'array', items: { type: 'string' } },
      payload: { type: 'object', description: 'METRICS_DIALECT=vendor: the request, when it asked for it.' },
    },
    [...Object.keys(more), 'type', 'trace_id', 'mode', 'organization_id', 'market_ids'],
  )

const pagination = objectOf(
  { record_count: { type: 'integer', minimum: 0 }, cursor: { type: ['string', 'null'] } },
  ['record_count', 'cursor'],
)

const answerOf = (type: string, data: Schema, more: Readonly<Record<string, Schema>> = {}): Schema =>
  objectOf({ data, meta: meta({ const: type }, more) }, ['data', 'meta'])

const bucketsInside: Schema = {
  type: 'object',
  required: ['value'],
  properties: { value: refTo('Value') },
  additionalProperties: refTo('Buckets'),
}

export const answerSchemas: Readonly<Record<string, Schema>> = {
  Value: {
    anyOf: [
      numberOrNull,
      objectOf(
        Object.fromEntries(['count', 'min', 'max', 'avg', 'sum'].map((name) => [name, numberOrNull])),
        ['count', 'min', 'max', 'avg', 'sum'],
      ),
      {
        type: 'object',
        description: 'percentiles, from "1.0" to "99.0"',
        propertyNames: { pattern: String.raw`^\d+\.0$` },
        additionalProperties: numberOrNull,
      },
    ],
  },
  Buckets: {
    type: 'array',
    items: {
      ...bucketsInside,
      required: ['label', 'value'],
      properties: { label: { type: 'string' }, value: refTo('Value') },
    },
  },
  BreakdownAnswer: answerOf('breakdown', {
    type: 'object',
    description: 'The buckets under the path that they are grouped by.',
    additionalProperties: refTo('Buckets'),
  }),
  DateBreakdownAnswer: answerOf('date_breakdown', {
    type: 'array',
    items: {
      ...bucketsInside,
      required: ['date', 'value'],
      properties: { date: { type: 'string', format: 'date-time' }, value: refTo('Value') },
    },
  }),
  StatsAnswer: answerOf('stats', objectOf({ value: refTo('Value') }, ['value'])),
  SearchAnswer: answerOf(
    'search',
    { type: 'array', items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } },
    { pagination },
  ),
  FbtAnswer: answerOf('fbt', {
    type: 'array',
    maxItems: 10,
    items: objectOf(
      {
        item_id: { type: 'string' },
        value: { type: 'integer', minimum: 1 },
        type: { type: 'string', enum: ['skus', 'bundles'] },
        name: { type: 'string' },
      },
      ['item_id', 'value', 'type'],
    ),
  }),
  Error: objectOf(
    {
      error: objectOf(
        {
          title: { type: 'string' },
          code: { type: 'string' },
          status: { type: 'integer' },
          meta: objectOf({
            errors: {
              type: 'array',
              description:
                '400 and 422: one entry for each wrong key, with messages or what is wrong inside.',
              items: { type: 'object' },
            },
            trace_id: { type: 'string', format: 'uuid' },
          }),
        },
        ['title', 'code', 'status'],
      ),
    },
    ['error'],
  ),
}

/** Every status of the catalogue with its titles. */
export const errorResponses = (mediaType: string): Readonly<Record<string, Schema>> => {
  const byStatus = Map.groupBy(Object.values(metricsErrors), ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      String(status),
      {
        description: `${statusName(status)}: ${[...new Set(errors.map(({ title }) => title))].join('; ')}`,
        content: { [mediaType]: { schema: refTo('Error') } },
      },
    ]),
  )
}
