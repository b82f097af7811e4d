/** Renders what a start prints when it is ready: addresses, credentials and a first request. */
import path from 'node:path'
import { DEMO_MODES, demoFileIn } from './demo-file.ts'
import type { DemoFile } from './demo-file.ts'
import { demoUsersFileIn } from './demo-users.ts'
import type { DemoUser } from './demo-users.ts'

const CREDENTIALS = [
  'sales_channel',
  'integration',
  'integration_read_only',
  'integration_custom',
  'webapp',
] as const

export interface Started {
  readonly demo: DemoFile
  readonly users: readonly DemoUser[]
  /** Whether this start made the demo: later ones show no secrets, for whatever stores the terminal's output. */
  readonly isNew: boolean
}

/** @param cwd paths are shown from here */
export const renderSummary = ({ demo, users, isNew }: Started, dataFolder: string, cwd: string): string => {
  const show = (file: string): string => path.relative(cwd, file) || file
  const files = [demoFileIn, ...(users.length > 0 ? [demoUsersFileIn] : [])].map((fileIn) =>
    show(fileIn(dataFolder)),
  )
  const lines = [
    '',
    `  console    ${demo.base_url}/`,
    `  base_url   ${demo.base_url}    /api  /metrics`,
    `  auth_url   ${demo.auth_url}    /oauth/token  /.well-known/jwks.json`,
    '',
    ...(isNew ? [...renderCredentials(demo), ...renderUsers(demo, users)] : []),
    ...renderFirstRequest(demo),
    ...(demo.organizations.length === 0
      ? []
      : [
          `  ${isNew ? 'Everything above is also' : 'Credentials and passwords are'} in ${files.join(' and ')}.`,
        ]),
    '  Ctrl-C stops the system; its data stays in the data folder until: npm run reset',
    '',
  ]
  return lines.join('\n')
}

const renderCredentials = (demo: DemoFile): string[] => {
  const rows = demo.organizations.flatMap(({ slug, environments }) =>
    DEMO_MODES.flatMap((mode) =>
      CREDENTIALS.map((kind) => {
        const { client_id, client_secret } = environments[mode].credentials[kind]
        return [slug, mode, kind, client_id, client_secret]
      }),
    ),
  )
  return rows.length === 0
    ? []
    : [...renderTable(['organization', 'mode', 'credential', 'client_id', 'client_secret'], rows), '']
}

const renderUsers = (demo: DemoFile, users: readonly DemoUser[]): string[] => {
  const shown = users.filter(({ organization }) =>
    demo.organizations.some(({ slug }) => slug === organization),
  )
  if (shown.length === 0) return []
  const rows = shown.map(({ organization, email, password }) => [organization, email, password])
  return [...renderTable(['organization', 'user of /oauth/authorize', 'password'], rows), '']
}

const renderTable = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const render = (row: readonly string[]): string =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()
  return [render(head), ...rows.map(render)]
}

/** A token for a public market, then the products that are sold there. */
const renderFirstRequest = (demo: DemoFile): string[] => {
  const environment = demo.organizations[0]?.environments.test
  const market = environment?.markets.find((candidate) => !candidate.private)
  if (environment === undefined || market === undefined) return []
  const body = JSON.stringify({
    grant_type: 'client_credentials',
    client_id: environment.credentials.sales_channel.client_id,
    scope: `market:code:${market.code}`,
  })
  return [
    '  A first request, to paste into another terminal:',
    '',
    `TOKEN=$(curl -s ${demo.auth_url}/oauth/token -H 'Content-Type: application/json' -d '${body}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s '${demo.base_url}/api/skus?page%5Bsize%5D=2' -H 'Accept: application/vnd.api+json' -H "Authorization: Bearer $TOKEN"`,
    '',
  ]
}
