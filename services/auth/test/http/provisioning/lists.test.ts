/** Queries and requests of {auth_url}/provisioning: pages, filters, sorts, media types, sizes. */
import { startTestSystem, type TestSystem } from '../../support/auth-system.ts'
import { clientWith, JSON_API, listOf, refusalOf, signIn, type Client } from '../../support/provisioning.ts'

let system: TestSystem
let admin: Client
beforeAll(async () => {
  system = await startTestSystem({ name: 'provisioning_lists' })
  admin = clientWith(system, await signIn(system, { email: 'owner@shop.example' }))
})
afterAll(() => system.close())

describe('lists', () => {
  it('page, sort and filter', async () => {
    for (const name of ['a', 'b', 'c', 'd'])
      await admin.post('roles', { attributes: { name: `page ${name}`, reference: 'paged' } })
    const page = await admin.get('roles?filter[q][reference_eq]=paged&sort=-name&page[size]=3&page[number]=2')
    expect(listOf(page).map(({ attributes }) => attributes['name'])).toEqual(['page a'])
    expect(page.body).toMatchObject({
      meta: { record_count: 4, page_count: 2 },
      links: { prev: expect.stringContaining('/provisioning/roles?filter%5Bq%5D') as unknown },
    })
    const namesOf = async (query: string) =>
      listOf(await admin.get(`roles?page[size]=25&${query}`)).map(({ attributes }) => attributes['name'])
    expect(await namesOf('filter[q][name_in]=page b,page c')).toEqual(['page b', 'page c'])
    expect(await namesOf('filter[q][name_end]=e d')).toEqual(['page d'])
    expect(await namesOf('filter[q][name_start]=page&filter[q][name_not_eq]=page a')).toHaveLength(3)
    expect(await namesOf('filter[q][kind_eq]=admin')).toEqual(['Admin'])
    expect(await namesOf('filter[q][kind_eq]=nothing of the kind')).toEqual([])
  })

  it('filter by what they belong to', async () => {
    const admins = await admin.get('users?filter[q][role_kind_eq]=admin&include=role')
    expect(listOf(admins).length).toBeGreaterThan(0)
    const byId = await admin.get(`users?filter[q][role_id_eq]=${system.adminRoleId}`)
    expect(byId.body).toMatchObject({ meta: (admins.body as { meta: object }).meta })
    const without = await admin.get('api_credentials?filter[q][role_null]=true&page[size]=25')
    expect(listOf(without).every(({ attributes }) => attributes['kind'] !== 'integration')).toBe(true)
    const recent = await admin.get(
      'users?filter[q][created_at_gt]=2000-01-01&filter[q][disabled_at_null]=true',
    )
    expect(listOf(recent).length).toBeGreaterThan(0)
  })

  it.each([
    'api_credentials?filter[q][expires_in_gt]=9007199254740991',
    'api_credentials?filter[q][expires_in_lteq]=7200',
    'api_credentials?filter[q][expires_in_in]=7200,14400,99999999999',
    'api_credentials?filter[q][expires_in_null]=true',
    'users?filter[q][created_at_gt]=0001-01-01T00:00:00Z',
    'users?filter[q][created_at_lt]=9999-12-31T23:59:59.999Z',
    'users?filter[q][owner_true]=true',
    'users?filter[q][owner_eq]=false',
    'users?filter[q][email_matches]=%25_%5C%5C%25',
    'users?filter[q][first_name_blank]=true&filter[q][last_name_present]=false',
    'users?filter[q][email_or_first_name_cont_any]=a,b',
    'users?filter[q][email_does_not_match_all]=x,y&filter[q][role_name_not_null]=true',
    'users?filter[q][email_eq_or_null]=%F0%9F%98%80',
    'permissions?filter[q][role_name_i_cont]=DESK&include=role.organization&sort=-subject,created_at',
    'roles?filter[q][metadata_jcont]=%7B%22a%22%3A1%7D',
    'roles?page[number]=2147483647',
  ])('answer %s', async (path) => {
    const response = await admin.get(path)
    expect([response.status, response.text]).toEqual([200, expect.stringContaining('"record_count"')])
  })

  it.each(['0000-01-01', '0001-01-01T00:00:00%2B14:00', '0001-01-01'])(
    'take %s for a time before everything',
    async (early) => {
      const countOf = async (filter: string) => {
        const { status, body } = await admin.get(`users?filter[q][${filter}]=${early}`)
        return [status, (body as { meta?: { record_count: number } }).meta?.record_count]
      }
      expect(await countOf('created_at_gt')).toEqual([200, 1])
      expect(await countOf('created_at_not_eq')).toEqual([200, 1])
      expect(await countOf('created_at_lteq')).toEqual([200, 0])
      expect(await countOf('created_at_in')).toEqual([200, 0])
    },
  )

  it('take the last year of all for a time after everything', async () => {
    const late = '9999-12-31T23:59:59-14:00'
    const { body } = await admin.get(`users?filter[q][created_at_lt]=${late}`)
    expect(body).toMatchObject({ meta: { record_count: 1 } })
  })

  it('tell everything that is wrong with a query at once', async () => {
    const query =
      'page[size]=26&sort=password&include=nothing&filter[q][password_eq]=x&fields[users]=nope&x=1'
    const { status, errors } = refusalOf(await admin.get(`users?${query}`))
    expect(status).toBe(400)
    expect(new Set(errors.map(([, parameter]) => parameter))).toEqual(
      new Set(['page[size]', 'sort', 'include', 'filter[q][password_eq]', 'fields[users]', 'x']),
    )
  })

  it('give only the fields that are asked for', async () => {
    const response = await admin.get('users?fields[users]=email')
    expect(listOf(response).map(({ attributes }) => Object.keys(attributes))[0]).toEqual(['email'])
  })
})

describe('requests', () => {
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    system.api.request(method, `/provisioning/${path}`, {
      headers: { ...headers },
      ...(body === undefined ? {} : { body }),
    })

  it('speak JSON:API, and say so', async () => {
    const token = await signIn(system, { email: 'owner@shop.example' })
    const authorization = { Authorization: `Bearer ${token}` }
    const typed = { ...authorization, 'Content-Type': JSON_API }
    expect((await send('GET', 'users', { ...authorization, Accept: 'text/html' })).status).toBe(406)
    expect(
      (await send('POST', 'users', { ...authorization, 'Content-Type': 'application/json' }, '{}')).status,
    ).toBe(415)
    expect((await send('POST', 'users', typed, '{"data":')).status).toBe(400)
    expect((await send('POST', 'users', typed, `{"data":"${'x'.repeat(262_144)}"}`)).status).toBe(413)
    expect((await send('GET', `users?x=${'y'.repeat(8_200)}`, authorization)).status).toBe(414)
    expect((await send('GET', 'nothing', authorization)).status).toBe(404)
    const put = await send('PUT', 'users', typed, '{}')
    expect([put.status, put.headers['allow']]).toEqual([405, 'GET, POST, HEAD'])
    expect(put.headers['content-type']).toBe(JSON_API)
  })

  it('answer 503 in JSON:API while core is unavailable', async () => {
    system.core.failWith = 503
    const response = await admin.patch('organizations', system.organizationId, {
      attributes: { name: 'Shop' },
    })
    system.core.failWith = undefined
    expect(refusalOf(response)).toMatchObject({ status: 503, errors: [['SERVICE_UNAVAILABLE', undefined]] })
  })
})
