/** A question → what is sent to metrics, and the same for whoever asks it from elsewhere. */
import { limits, resourceOf } from './catalogue.ts'
import { periodOf, secondsOf, type Period } from './period.ts'
import type { Filter, Question } from './question.ts'

export interface MetricsRequest {
  /** Below `/metrics`. */
  readonly path: string
  readonly body: object
}

type Members = { [name: string]: unknown }

/** `shipments.stock_location.ids` is a key of a section in a section. */
const put = (target: Members, path: readonly string[], value: unknown): void => {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner = (target[name] ?? {}) as Members
  target[name] = inner
  put(inner, rest, value)
}

const operandOf = ([, operator, value]: Filter): unknown =>
  operator === 'is' ? value : { [operator]: value }

const filterOf = ({ of, date, filters }: Question, { from, to }: Period): Members => {
  const dates = { date_field: date, date_from: secondsOf(from), date_to: secondsOf(to) }
  const filter: Members = { [resourceOf(of).record]: dates }
  for (const each of filters) put(filter, each[0].split('.'), operandOf(each))
  return filter
}

const splitOf = ({ split, field, operator, kind, limit }: Question): Members =>
  split === ''
    ? {}
    : {
        breakdown: {
          by: split,
          // A date breakdown computes what its inner breakdown may compute, too.
          ...{ field, operator },
          limit: kind === 'breakdown' ? limit : limits.buckets,
        },
      }

const queryOf = (question: Question): Members => {
  const { kind, by, field, operator, interval, sort, limit, condition, fields } = question
  switch (kind) {
    case 'stats':
      return { field, operator }
    case 'date_breakdown':
      return { by, field, operator, interval, ...splitOf(question) }
    case 'breakdown':
      return {
        ...{ by, field, operator, sort, limit },
        ...(condition === undefined ? {} : { condition: { [condition[0]]: condition[1] } }),
        ...splitOf(question),
      }
    case 'search':
      return {
        fields,
        sort,
        sort_by: `${resourceOf(question.of).record}.${question.date}`,
        limit: limits.records,
      }
  }
}

/** @param period other than that of the question: the one before it */
export const toRequest = (
  question: Question,
  now: Date,
  period = periodOf(question, now),
): MetricsRequest => ({
  path: `${question.of}/${question.kind}`,
  body: { [question.kind]: queryOf(question), filter: filterOf(question, period) },
})

/** What of the fields of a search a CSV file can have. */
export const exportableOf = ({ of, fields }: Question): readonly string[] =>
  fields.filter((path) => resourceOf(of).attributes[path]?.export === true)

/** All records of a search as CSV. */
export const toExport = (question: Question, now: Date): MetricsRequest => {
  const { sort, sort_by } = queryOf(question)
  return {
    path: `${question.of}/export`,
    body: {
      search: { fields: exportableOf(question), sort, sort_by },
      filter: filterOf(question, periodOf(question, now)),
    },
  }
}

const ACCEPT = 'application/vnd.api.v1+json'
const CONTENT_TYPE = 'application/vnd.api+json'

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const pretty = (body: object): string => JSON.stringify(body, undefined, 2)

/** For a shell. The token is a variable, never the one of the session. */
export const toCurl = ({ path, body }: MetricsRequest, origin: string): string =>
  [
    `curl -X POST ${quoted(`${origin}/metrics/${path}`)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    `-H ${quoted(`Accept: ${ACCEPT}`)}`,
    `-H ${quoted(`Content-Type: ${CONTENT_TYPE}`)}`,
    `-d ${quoted(pretty(body))}`,
  ].join(' \\\n  ')

/** For JavaScript: `@commercelayer/sdk` has no call for metrics, and `@commercelayer/js-auth` gives the token. */
export const toJavaScript = ({ path, body }: MetricsRequest, origin: string): string =>
  `import { authenticate } from '@commercelayer/js-auth'

const { accessToken } = await authenticate('client_credentials', {
  clientId: process.env.CLIENT_ID,
  clientSecret: process.env.CLIENT_SECRET,
})

const response = await fetch(${JSON.stringify(`${origin}/metrics/${path}`)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${accessToken}\`,
    Accept: '${ACCEPT}',
    'Content-Type': '${CONTENT_TYPE}',
  },
  body: JSON.stringify(${pretty(body).replaceAll('\n', '\n  ')}),
})
const { data } = await response.json()`

export const toJson = ({ body }: MetricsRequest): string => pretty(body)
