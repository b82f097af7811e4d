/** Who gets the file of an import or export, and what is never in it: attack findings about passwords and others' files. */
import { gunzipSync } from 'node:zlib'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { isPasswordOf } from '@merx/passwords/passwords'
import { marketClaim, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { permission, tokenWith } from '../support/restricted-role.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('job_files')
})
afterAll(() => core.close())

type Values = Readonly<Record<string, unknown>>

const done = async (type: 'imports' | 'exports', attributes: Values, token = core.tokens.admin) => {
  const response = await core.send('POST', `/api/${type}`, token, { data: { type, attributes } })
  expect(response.status).toBe(201)
  await core.jobs.runUntilIdle()
  return singleOf(response).data.id
}

const urlOf = async (type: 'imports' | 'exports', id: string, token: string): Promise<unknown> =>
  singleOf(await core.get(`/api/${type}/${id}`, token)).data.attributes['attachment_url']

const fileAt = async (url: unknown): Promise<string> => {
  const { pathname, search } = new URL(String(url))
  const { status, bytes } = await core.client.request('GET', pathname + search, {})
  expect(status).toBe(200)
  return gunzipSync(bytes).toString()
}

const storedInputs = async (id: string): Promise<string> => {
  const { rows } = await core.pool.query<{ inputs: unknown }>('SELECT inputs FROM imports WHERE id = $1', [
    testIds.decode('imports', id),
  ])
  return JSON.stringify(rows[0]?.inputs)
}

describe('a password in an import', () => {
  const password = 'secret-of-import-1'

  it.each([
    ['JSON', 'json', [{ email: 'json@example.com', password }]],
    ['CSV', 'csv', `email,password\ncsv@example.com,${password}\n`],
  ])('is hashed, stored nowhere as it was sent, and in no file: %s', async (_name, format, inputs) => {
    const attributes = { resource_type: 'customers', format, inputs }
    const response = await core.send('POST', '/api/imports', core.tokens.admin, {
      data: { type: 'imports', attributes },
    })
    const { id } = singleOf(response).data
    expect(await storedInputs(id)).not.toContain(password)
    await core.jobs.runUntilIdle()
    const email = `${format}@example.com`
    const { rows } = await core.pool.query<{ hash: string }>(
      'SELECT password_hash AS hash FROM customers WHERE email = $1',
      [email],
    )
    expect(await isPasswordOf(rows[0]?.hash, password)).toBe(true)
    expect(await storedInputs(id)).not.toContain(password)
    const file = JSON.parse(await fileAt(await urlOf('imports', id, core.tokens.admin))) as unknown
    expect(file).toEqual([{ email }])
  })

  it('of an order is in no file either', async () => {
    const inputs = [{ customer_email: 'order@example.com', customer_password: password }]
    const id = await done('imports', { resource_type: 'orders', inputs, skip_errors: true })
    expect(await storedInputs(id)).not.toContain(password)
    const file = await fileAt(await urlOf('imports', id, core.tokens.admin))
    expect(JSON.parse(file)).toEqual([{ customer_email: 'order@example.com' }])
  })

  it.each([
    ['a capital in CSV', 'customers', 'csv', `email,Password\ncsv@example.com,${password}\n`],
    ['another case', 'customers', 'json', [{ email: 'json@example.com', PASSWORD: password }]],
    ['the name it has in orders', 'customers', 'json', [{ customer_password: password }]],
    ['a path', 'orders', 'json', [{ 'customer.password': password }]],
    ['an object in it', 'orders', 'json', [{ customer: { email: 'a@example.com', password } }]],
    ['an object in a line', 'orders', 'json', [{ line_items: [{ sku_code: 'A', user: [{ password }] }] }]],
  ])('whose name is not the right one is kept nowhere: %s', async (_how, type, format, inputs) => {
    const id = await done('imports', { resource_type: type, format, inputs, skip_errors: true })
    const { attributes } = singleOf(await core.get(`/api/imports/${id}`, core.tokens.admin)).data
    expect(attributes).toMatchObject({ status: 'completed', errors_count: 1 })
    expect(await storedInputs(id)).not.toContain(password)
    expect(await fileAt(await urlOf('imports', id, core.tokens.admin))).not.toContain(password)
  })

  it('is hashed, however many there are', async () => {
    const inputs = Array.from({ length: 120 }, (_, index) => ({
      email: `many${index}@example.com`,
      password,
    }))
    const id = await done('imports', { resource_type: 'customers', inputs })
    const { attributes } = singleOf(await core.get(`/api/imports/${id}`, core.tokens.admin)).data
    expect(attributes).toMatchObject({ status: 'completed', processed_count: 120, errors_count: 0 })
  })

  it('that is too short is an error of its item', async () => {
    const inputs = [{ email: 'short@example.com', password: 'abc' }]
    const id = await done('imports', { resource_type: 'customers', inputs, skip_errors: true })
    const { attributes } = singleOf(await core.get(`/api/imports/${id}`, core.tokens.admin)).data
    expect(attributes['errors_log']).toEqual({
      'short@example.com': { password: [expect.stringContaining('6') as string] },
    })
  })
})

describe('the address of a file', () => {
  const tokens: Readonly<Record<string, () => Promise<string>>> = {
    'the type cannot be read': () => tokenWith(core, permission('exports'), permission('imports')),
    'fields are hidden': () =>
      tokenWith(
        core,
        permission('customers', { fields: { read: ['email'] } }),
        permission('exports'),
        permission('imports'),
      ),
    'rows are hidden': () =>
      tokenWith(
        core,
        permission('customers', { rows: { all: { email_start: 'a' } } }),
        permission('exports'),
        permission('imports'),
      ),
  }

  it.each(Object.keys(tokens))('is null for another caller when %s', async (name) => {
    const token = (await tokens[name]?.()) ?? ''
    const exportId = await done('exports', { resource_type: 'customers' })
    expect(await urlOf('exports', exportId, core.tokens.admin)).toMatch(/^http/)
    expect(await urlOf('exports', exportId, token)).toBeNull()
    const importId = await done('imports', {
      resource_type: 'customers',
      inputs: [{ email: 'of-import@example.com' }],
    })
    expect(await urlOf('imports', importId, token)).toBeNull()
  })

  it('is null when a type that the export includes cannot be read', async () => {
    const id = await done('exports', { resource_type: 'customers', includes: ['orders.line_items'] })
    const reader = (...types: readonly string[]) =>
      tokenWith(core, ...types.map((type) => permission(type)), permission('exports'))
    expect(await urlOf('exports', id, await reader('customers', 'orders'))).toBeNull()
    expect(await urlOf('exports', id, await reader('customers', 'orders', 'line_items'))).toMatch(/^http/)
  })

  it('is there for whoever asked for the job, whatever the role hides', async () => {
    const token = await tokenWith(
      core,
      permission('customers', { fields: { read: ['email'] } }),
      permission('exports'),
    )
    const id = await done('exports', { resource_type: 'customers' }, token)
    expect(await urlOf('exports', id, token)).toMatch(/^http/)
  })

  it('is there for others who may read all of the type', async () => {
    const id = await done('exports', { resource_type: 'customers' })
    expect(await urlOf('exports', id, core.tokens.readOnly)).toMatch(/^http/)
    expect(
      await urlOf('exports', id, await tokenWith(core, permission('customers'), permission('exports'))),
    ).toMatch(/^http/)
  })

  it('is null for a token of one market, which sees a part of the type', async () => {
    const id = await done('exports', { resource_type: 'orders' })
    const token = await core.tokens.mint({
      role: { id: 'rOfOneMarket', kind: 'custom' },
      market: marketClaim([1]),
    })
    core.roles.set('rOfOneMarket', {
      kind: 'custom',
      permissions: [permission('orders'), permission('exports')],
    })
    expect(await urlOf('exports', id, token)).toBeNull()
  })
})
