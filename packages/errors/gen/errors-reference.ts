/**
 * Writes docs/reference/errors.md and error-codes.md from the catalogue and its prose (help/):
 * `node packages/errors/gen/errors-reference.ts`.
 */
import { writeFile } from 'node:fs/promises'
import { AppError } from '../src/app-error.ts'
import {
  jsonApiErrors,
  metricsErrors,
  oauthErrors,
  type ErrorCode,
  type ErrorEntry,
} from '../src/catalogue.ts'
import { encodeJsonApi } from '../src/encode-json-api.ts'
import { encodeMetrics } from '../src/encode-metrics.ts'
import { encodeOAuth } from '../src/encode-oauth.ts'
import type { ErrorEncoder } from '../src/error-encoder.ts'
import { statusName } from '../src/status-name.ts'
import { errorHelp } from './help/error-help.ts'

interface Section {
  readonly heading: string
  readonly intro: string
  readonly entries: Readonly<Record<string, ErrorEntry>>
  readonly wireCode: (key: string, entry: ErrorEntry) => string
  readonly encode: ErrorEncoder
  readonly example: AppError
}

const error = (code: ErrorCode, options: ConstructorParameters<typeof AppError>[1]) =>
  new AppError(code, options)

const sections: readonly Section[] = [
  {
    heading: 'Core and internal interfaces',
    intro:
      'JSON:API error documents. `code` is the name below; `status` is a string. For `VALIDATION_ERROR` the title is ' +
      'the message itself. Errors 500 and up carry `meta.request_id`.',
    entries: jsonApiErrors,
    wireCode: (key) => key.toUpperCase(),
    encode: encodeJsonApi,
    example: error('validation_error', {
      title: "can't be blank",
      detail: "name - can't be blank",
      source: { pointer: '/data/attributes/name' },
      meta: { error: 'blank' },
    }),
  },
  {
    heading: 'Authentication host',
    intro:
      'The keys of RFC 6749 section 5.2 and an `errors` array. `code` is the name of the status; the title, also in ' +
      '`error`, is what tells the cases apart. Never cached.',
    entries: oauthErrors,
    wireCode: (_key, { status }) => statusName(status),
    encode: encodeOAuth,
    example: error('invalid_client', {}),
  },
  {
    heading: 'Metrics',
    intro:
      'One `error` object. `code` is the name of the status. `meta.errors` comes with 400 and 422 only; 401 has no ' +
      '`meta`.',
    entries: metricsErrors,
    wireCode: (_key, { status }) => statusName(status),
    encode: encodeMetrics,
    example: error('metrics_filter_not_valid', {
      meta: { errors: [{ order: [{ date_to: ['is required with date_from'] }] }] },
    }),
  },
]

const REQUEST_ID = '0b9bd1a4-6a3c-4f0e-9a55-0d1c2a3b4c5d'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

const renderRow = ({ wireCode }: Section, key: string, entry: ErrorEntry): string =>
  `| ${entry.status} | \`${wireCode(key, entry)}\` | ${cell(entry.title)} | ${cell(entry.detail ?? '')} | [\`${key}\`](error-codes.md#${key}) |`

const byStatus = ([keyA, a]: [string, ErrorEntry], [keyB, b]: [string, ErrorEntry]): number =>
  a.status - b.status || keyA.localeCompare(keyB, 'en')

const renderSection = (section: Section): string => {
  const rows = Object.entries(section.entries)
    .sort(byStatus)
    .map(([key, entry]) => renderRow(section, key, entry))
  const { contentType, status, body } = section.encode([section.example], {
    requestId: REQUEST_ID,
  })
  return [
    `## ${section.heading}`,
    '',
    section.intro,
    '',
    `Status ${status}, \`Content-Type: ${contentType}\`:`,
    '',
    '```json',
    JSON.stringify(body, null, 2),
    '```',
    '',
    '| Status | `code` | Title | Detail unless the case says more | Explained |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** The whole page as Markdown. */
export const renderErrorsReference = (): string =>
  [
    '# Errors',
    '',
    'Generated from packages/errors/src/catalogue.ts by packages/errors/gen/errors-reference.ts; do not edit.',
    '',
    'Every answer, also one without an error, carries its request id in the header `X-Request-Id`.',
    'A 401 for a bearer token carries the challenge of RFC 6750 section 3 in `WWW-Authenticate`: `Bearer realm="merx"` without a',
    'token, with `error="invalid_token"` for one that is not valid, with `error="insufficient_scope"` for one without the right.',
    '',
    'The last column leads to when a code is answered, with an example and what to do. The names are those of the source.',
    '',
    ...sections.map(renderSection),
  ].join('\n')

const renderCode = ({ encode, wireCode }: Section, key: ErrorCode, entry: ErrorEntry): readonly string[] => {
  const { when, todo, example } = errorHelp[key]
  const { headers, status, body } = encode([error(key, example ?? {})], { requestId: REQUEST_ID })
  return [
    `### ${key}`,
    '',
    `${status} \`${wireCode(key, entry)}\`, "${entry.title}".`,
    '',
    `**When**: ${when}`,
    '',
    `**What to do**: ${todo}`,
    '',
    '```http',
    `HTTP/1.1 ${status}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    JSON.stringify(body, null, 2),
    '```',
    '',
  ]
}

/** The page with a section for each code, as Markdown. */
export const renderErrorCodes = (): string =>
  [
    '# Error codes',
    '',
    'Generated from packages/errors/src/catalogue.ts and packages/errors/gen/help by packages/errors/gen/errors-reference.ts;',
    'do not edit. The overview is [errors](errors.md). Quote `X-Request-Id` when you report an error.',
    '',
    ...sections.flatMap((section) => [
      `## ${section.heading}`,
      '',
      ...Object.entries<ErrorEntry>(section.entries)
        .sort(byStatus)
        .flatMap(([key, entry]) => renderCode(section, key as ErrorCode, entry)),
    ]),
  ].join('\n')

/** Where the pages are. */
export const errorsReferencePath = new URL('../../../docs/reference/errors.md', import.meta.url)

export const errorCodesPath = new URL('../../../docs/reference/error-codes.md', import.meta.url)

if (import.meta.main) {
  await writeFile(errorsReferencePath, renderErrorsReference())
  await writeFile(errorCodesPath, renderErrorCodes())
}
