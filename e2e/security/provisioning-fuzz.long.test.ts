/**
 * Requests made from the OpenAPI document, with the token of an organization's administrator who wants out: ids of other
 * organizations stand in addresses, filters and bodies. Never a server fault, nothing of another organization in an answer, and nothing
 * of another organization changed. A search further: MERX_OPENAPI_CASES=10000 MERX_FUZZ_SEED=7 npm test -- e2e/security/provisioning-fuzz
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { connect, JSON_API } from '../support/connect.ts'
import { authDialect, coreDialect, type FuzzRequest } from '../support/fuzz-request.ts'
import { merx } from '../support/merx.ts'
import { createRandom, type Random } from '../support/random.ts'
import { runFuzz } from '../support/run-fuzz.ts'
import type { Reply } from '../support/send.ts'
import { administratorToken, tokenOfUser } from '../support/sign-in.ts'
import type { CollectionDocument } from '../support/wire.ts'
import { createOpenApiRequests } from './support/openapi-requests.ts'
import { listOperations, type OpenApiDocument } from './support/openapi.ts'

const SEED = Number(process.env['MERX_FUZZ_SEED'] ?? 20_261_122)
const CASES = Number(process.env['MERX_OPENAPI_CASES'] ?? 600)
const TEST_MS_MAX = 600_000
const TYPES = ['organizations', 'users', 'roles', 'permissions', 'api_credentials'] as const
const REDIRECT_URI = 'https://app.example/callback'

type Ids = ReadonlyMap<string, readonly string[]>

interface Created {
  readonly id: string
}

/** An organization that no other test uses, and its administrator's token. */
const makeOrganization = async (): Promise<{ id: string; token: string }> => {
  const slug = `fuzz-${Date.now()}`
  const email = `admin@${slug}.example`
  const { id } = await merx<Created>('organizations', 'create', '--slug', slug, '--name', 'Fuzz')
  await merx('roles', 'create', slug, '--name', 'Admin', '--kind', 'admin')
  const user = ['--email', email, '--role', 'Admin', '--owner', '--generate-password']
  const { password } = await merx<{ password: string }>('users', 'create', slug, ...user)
  const client = ['--mode', 'test', '--kind', 'webapp', '--name', 'Back', '--redirect-uri', REDIRECT_URI]
  const webapp = await merx<{ client_id: string; client_secret: string }>(
    ...['credentials', 'create', slug],
    ...client,
  )
  const token = await tokenOfUser({ webapp: { ...webapp, redirect_uri: REDIRECT_URI }, email, password })
  return { id, token }
}

const list = async (token: string, type: string): Promise<CollectionDocument['data']> => {
  const headers = { Authorization: `Bearer ${token}`, Accept: JSON_API }
  const reply = await connect().auth('GET', `/provisioning/${type}?page%5Bsize%5D=25`, headers)
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  return reply.json<CollectionDocument>().data
}

/** All that an administrator sees of an organization. */
const readAll = async (token: string): Promise<Record<string, CollectionDocument['data']>> =>
  Object.fromEntries(await Promise.all(TYPES.map(async (type) => [type, await list(token, type)] as const)))

const idsOf = (seen: Record<string, CollectionDocument['data']>): Ids =>
  new Map(Object.entries(seen).map(([type, records]) => [type, records.map(({ id }) => id)]))

/** A record of each type, to be changed and removed: of those that it signs in with it would shut itself out. */
const makeRecords = async (token: string, organizationId: string): Promise<Map<string, string[]>> => {
  const organization = { data: { type: 'organizations', id: organizationId } }
  const create = async (type: string, attributes: object, relationships: object): Promise<string> => {
    const headers = { Authorization: `Bearer ${token}`, Accept: JSON_API, 'Content-Type': JSON_API }
    const body = { data: { type, attributes, relationships } }
    const reply = await connect().auth('POST', `/provisioning/${type}`, headers, body)
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
    return reply.json<{ data: Created }>().data.id
  }
  const roleId = await create('roles', { name: 'Spare' }, { organization })
  const role = { data: { type: 'roles', id: roleId } }
  const subject = {
    subject: 'orders',
    can_create: false,
    can_read: true,
    can_update: true,
    can_destroy: false,
  }
  const email = `spare@${organizationId.toLowerCase()}.example`
  return new Map([
    ['organizations', [organizationId]],
    ['roles', [roleId]],
    ['permissions', [await create('permissions', subject, { role })]],
    ['users', [await create('users', { email, password: 'a good password' }, { organization, role })]],
    [
      'api_credentials',
      [
        await create(
          'api_credentials',
          { name: 'Spare', kind: 'integration', mode: 'test' },
          { organization, role },
        ),
      ],
    ],
  ])
}

/** Ids of other organizations in the place of some: of related records, and of the record that is meant. */
const withForeignIds = (request: FuzzRequest, own: Ids, foreign: Ids, random: Random): FuzzRequest => {
  const known = (type: string): readonly string[] =>
    (random.chance(0.5) ? foreign.get(type) : own.get(type)) ?? []
  const { body } = request
  if (typeof body !== 'string') return request
  const mixed = body.replaceAll(/\{"type":"(\w+)","id":"[^"]*"/g, (found, type: string) => {
    const ids = known(type)
    return ids.length === 0 || random.chance(0.1) ? found : `{"type":"${type}","id":"${random.pick(ids)}"`
  })
  return { ...request, body: mixed }
}

it(
  `an administrator gets no server fault, and does not leave the organization (seed ${SEED})`,
  async () => {
    const otherCaller = await administratorToken()
    const { id: organizationId, token } = await makeOrganization()
    const before = await readAll(otherCaller)
    const foreign = idsOf(before)
    const own = await makeRecords(token, organizationId)
    const secrets = [...foreign.values()].flat()
    const random = createRandom(SEED)
    const document = JSON.parse(
      readFileSync(resolve(import.meta.dirname, '../../docs/reference/auth-openapi.json'), 'utf8'),
    ) as OpenApiDocument
    const operations = listOperations(document).filter(({ path }) => path.startsWith('/provisioning'))
    expect(operations.length).toBeGreaterThan(TYPES.length)
    const build = createOpenApiRequests({
      document,
      random,
      tokens: [token],
      idsOf: (path) => {
        const type = path.split('/')[2] ?? ''
        return (random.chance(0.5) ? foreign.get(type) : own.get(type)) ?? []
      },
      accept: JSON_API,
    })
    let refusedStrangers = 0
    const inspect = ({ path, body }: FuzzRequest, reply: Reply): void => {
      const { status, text } = reply
      if (status === 201) own.get(path.split('/')[2] ?? '')?.push(reply.json<{ data: Created }>().data.id)
      const named = secrets.filter((id) => path.includes(id) || (body?.toString() ?? '').includes(id))
      const meant = secrets.some((id) => (path.split('?')[0] ?? '').endsWith(`/${id}`))
      if (meant) {
        expect([path, status >= 400]).toEqual([path, true])
        refusedStrangers += 1
      }
      // What a request named may come back in the words of its refusal; anything else would be told.
      if (status < 400 || named.length === 0)
        expect(secrets.filter((id) => text.includes(`"${id}"`))).toEqual([])
    }
    const statuses = await runFuzz({
      total: CASES,
      next: (index) => {
        const operation = operations[index % operations.length]
        if (operation === undefined) throw new Error('the document has no provisioning')
        return withForeignIds(build(operation), own, foreign, random)
      },
      dialect: { ...coreDialect, url: authDialect.url },
      inspect,
    })
    process.stderr.write(`${CASES} requests of an administrator: ${JSON.stringify([...statuses].sort())}\n`)

    expect(refusedStrangers).toBeGreaterThan(CASES / 20)
    for (const status of [200, 404, 422])
      expect([status, statuses.get(status)]).toEqual([status, expect.any(Number)])
    // Still an administrator: the answers above are not those of somebody who was shut out early.
    expect((await list(token, 'organizations')).map(({ id }) => id)).toEqual([organizationId])
    expect(await readAll(otherCaller)).toEqual(before)
  },
  TEST_MS_MAX,
)
