/** Writes docs/reference/permissions.md from the tables: `node packages/access-token/gen/permissions-reference.ts`. */
import { writeFile } from 'node:fs/promises'
import { salesChannelRows } from '../src/sales-channel-grants.ts'
import { customerPermissions, guestPermissions, prohibitedFields } from '../src/sales-channel-permissions.ts'
import type { PermissionTable, ResourcePermission } from '../src/sales-channel-permissions.ts'

/** Where the page is kept. */
export const permissionsReferencePath = new URL('../../../docs/reference/permissions.md', import.meta.url)

const INTRO = `# Permissions

Generated from packages/access-token/src/sales-channel-permissions.ts by packages/access-token/gen/permissions-reference.ts; do not edit.

Who may do what with the resources of core. What is not permitted is 401 with the code \`UNAUTHORIZED\`, never 403.
\`GET /oauth/tokeninfo\` tells the permissions of a token.

| Credential | Its permissions |
|---|---|
| sales channel, client_credentials | the guest table below |
| sales channel with a customer (password, JWT bearer) | both tables; where both grant an action, the customer's rows count |
| integration | its role |
| webapp | the role of its user |

| Role | Permits |
|---|---|
| admin | everything |
| read_only | every read |
| custom | the actions of its permissions, on the rows and fields its restrictions leave |

Every valid token may read \`GET /api/organization\` and \`GET /api/application\`, which tell whom it is for, whatever its
role permits; restrictions of a custom role on them hold.

A token made by refresh has the permissions of the token it renews. A change of a role, or of who has it, reaches the
tokens that live within a second.

## Restrictions of custom roles

\`\`\`json
{
  "subject": "orders",
  "actions": ["read", "update"],
  "restrictions": {
    "rows": { "all": { "market_code_in": ["EU"] }, "update": { "status_in": ["placed", "approved"] } },
    "fields": { "read": ["number", "status", "market"], "update": ["metadata"] }
  }
}
\`\`\`

| Key | Holds |
|---|---|
| \`rows.all\` | filters, as inside \`filter[q][…]\`, for every action; at a write for the row before and after it |
| \`rows.read\`, \`rows.update\`, \`rows.destroy\` | filters on the rows that the action may touch |
| \`rows.create\` | filters on what may come into being |
| \`fields.read\` | names that are shown and may be used in filters, sorts, includes and fieldsets |
| \`fields.create\`, \`fields.update\` | names of attributes, triggers and relationships that may be sent |

Values are texts, numbers, booleans, lists of texts and numbers, or objects for \`…_jcont\`. An amount
(\`…_cents\`) brings its companions. The reasons are in docs/adr, "Restrictions of custom roles".
`

const mark = (isGranted: boolean | undefined): string => (isGranted === true ? 'x' : '')

const READS = { list: 'list, single', single: 'single', related: 'through others' } as const

/** \`{"status_in": ["draft"]}\` → `status_in` draft */
const conditions = (type: string, isCustomer: boolean): string =>
  Object.entries(salesChannelRows(type, isCustomer))
    .map(([action, where]) => `${action}: \`${JSON.stringify(where)}\``)
    .join('<br>')

const fieldsOf = ({ fields }: ResourcePermission): string =>
  fields === undefined ? '' : `; shows ${fields.read.map((name) => `\`${name}\``).join(', ')} and no more`

const row = (type: string, permission: ResourcePermission, isCustomer: boolean): string => {
  const { create, read, update, destroy, which = '' } = permission
  return `| ${type} | ${mark(create)} | ${read === undefined ? '' : READS[read]} | ${mark(update)} | ${mark(destroy)} | ${which}${fieldsOf(permission)} | ${conditions(type, isCustomer)} |`
}

const table = (permissions: PermissionTable, isCustomer: boolean): string =>
  [
    '| Resource | Create | Read | Update | Delete | Which rows | Conditions on rows |',
    '|---|---|---|---|---|---|---|',
    ...Object.entries(permissions)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, permission]) => row(type, permission, isCustomer)),
  ].join('\n')

/** The whole page as Markdown. */
export const renderPermissionsReference = (): string =>
  [
    INTRO,
    '## Sales channels: guests\n',
    'A resource that is not listed is closed. "single" forbids lists; "through others" is what may be read only as a',
    'relationship or include of something else.\n',
    `${table(guestPermissions, false)}\n`,
    '## Sales channels: with a customer\n',
    'Besides what guests may do.\n',
    `${table(customerPermissions, true)}\n`,
    '## What a sales channel may never send\n',
    'Answered with 400 `PARAM_NOT_ALLOWED`, each field named.\n',
    '| Resource | Attributes, triggers and relationships |',
    '|---|---|',
    ...Object.entries(prohibitedFields).map(
      ([type, names]) => `| ${type} | ${names.map((name) => `\`${name}\``).join(', ')} |`,
    ),
    '',
  ].join('\n')

if (import.meta.main) await writeFile(permissionsReferencePath, renderPermissionsReference())
