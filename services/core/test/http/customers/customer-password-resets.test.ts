/** A customer who forgot the password: who gets the token, what it is good for, and what nobody learns. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { isPasswordOf } from '@merx/passwords/passwords'
import { eventually } from '@merx/testing/eventually'
import { deleteOldResets } from '../../../src/customers/delete-old-resets.ts'
import { runOn } from '../../../src/engine/database/run-statement.ts'
import { customer, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { at } from '../support/order-calls.ts'
import type { Body, Response } from '../support/order-calls.ts'

let core: TestCore
let guest: string

beforeAll(async () => {
  core = await openCore('customer_password_resets')
  await core.start()
  guest = await core.tokens.mint(salesChannel([1]))
})
afterAll(() => core.close())

let people = 0
const person = async (password?: string) => {
  people += 1
  const email = `person${people}@example.com`
  const attributes = { email, ...(password === undefined ? {} : { password }) }
  const data = { type: 'customers', attributes }
  const { id } = singleOf(await core.send('POST', '/api/customers', core.tokens.admin, { data })).data
  return { id, email, number: decodeId('customers', id) }
}

const TYPE = 'customer_password_resets'

const begin = (token: string, customer_email: unknown, query = '') =>
  core.send('POST', `/api/${TYPE}${query}`, token, { data: { type: TYPE, attributes: { customer_email } } })

const send = (id: string, token: string, attributes: Body) =>
  core.send('PATCH', `/api/${TYPE}/${id}`, token, { data: { type: TYPE, id, attributes } })

const reset = (id: string, proof: unknown, password: unknown = 'a new password', token = guest) =>
  send(id, token, { _reset_password_token: proof, customer_password: password })

const idOf = (response: Response) => singleOf(response).data.id

/** As the integration that sends the mail reads it. */
const tokenOf = async (id: string): Promise<unknown> =>
  singleOf(await core.get(`/api/${TYPE}/${id}`, core.tokens.admin)).data.attributes['reset_password_token']

/** A storefront begins it, an integration reads the token. */
const begun = async (email: string) => {
  const id = idOf(await begin(guest, email))
  return { id, proof: await tokenOf(id) }
}

const passwordHashOf = async (number: number | undefined): Promise<string | null> => {
  const { rows } = await core.pool.query<{ hash: string | null }>(
    'SELECT password_hash AS hash FROM customers WHERE id = $1',
    [number],
  )
  return rows[0]?.hash ?? null
}

const eventsOf = async (name: string, number: number | undefined): Promise<number> => {
  const { rows } = await core.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM events WHERE name = $1 AND record_id = $2',
    [name, number],
  )
  return rows[0]?.count ?? -1
}

const AT_TOKEN = '/data/attributes/_reset_password_token'

describe('a reset', () => {
  it('gives the customer the new password, once', async () => {
    const { email, number } = await person('first password')
    const { id, proof } = await begun(email)
    const { data } = singleOf(await reset(id, proof))
    expect(data.attributes['reset_password_at']).not.toBeNull()
    const hash = await passwordHashOf(number)
    expect(await isPasswordOf(hash ?? '', 'a new password')).toBe(true)
    expect(await tokenOf(id)).toBeNull()
    expect(at(await reset(id, proof, 'another password'))).toEqual([['422', AT_TOKEN, 'used']])
    expect(await passwordHashOf(number)).toBe(hash)
    expect(await eventsOf('customer_password_resets.reset_password', decodeId(TYPE, id))).toBe(1)
    // Of the first password.
    expect(await eventsOf('customers.create_password', number)).toBe(1)
  })

  it('ends the tokens of the customer', async () => {
    const { email, number = 0, id: customerId } = await person('first password')
    const signedIn = await core.tokens.mint({
      ...customer(number, [1]),
      auth_time: Math.floor(core.clock.now().getTime() / 1000),
    })
    const path = `/api/customers/${customerId}`
    expect((await core.get(path, signedIn)).status).toBe(200)
    const { id, proof } = await begun(email)
    expect((await reset(id, proof)).status).toBe(200)
    await eventually(async () => (await core.get(path, signedIn)).status === 401)
  })

  it('gives a guest who bought a first password', async () => {
    const { email, number } = await person()
    const { id, proof } = await begun(email)
    expect((await reset(id, proof)).status).toBe(200)
    expect(await passwordHashOf(number)).not.toBeNull()
    expect(await eventsOf('customers.create_password', number)).toBe(1)
  })

  it('ends with every other password: that of another reset, and that of the customer', async () => {
    const { id: customerId, email } = await person('first password')
    const [one, other] = [await begun(email), await begun(email)]
    const answers = await Promise.all([one, other].map(({ id, proof }) => reset(id, proof)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    const third = await begun(email)
    await core.send('PATCH', `/api/customers/${customerId}`, core.tokens.admin, {
      data: { type: 'customers', id: customerId, attributes: { password: 'third password' } },
    })
    expect(at(await reset(third.id, third.proof))).toEqual([['422', AT_TOKEN, 'used']])
  })

  it('is open for an hour', async () => {
    const { email, number } = await person('first password')
    const hash = await passwordHashOf(number)
    const { id, proof } = await begun(email)
    const age = (interval: string) =>
      core.pool.query(`UPDATE customer_password_resets SET created_at = now() - $2::interval WHERE id = $1`, [
        decodeId(TYPE, id),
        interval,
      ])
    await age('61 minutes')
    expect(at(await reset(id, proof))).toEqual([['422', AT_TOKEN, 'expired']])
    expect(await passwordHashOf(number)).toBe(hash)
    await age('59 minutes')
    expect((await reset(id, proof)).status).toBe(200)
  })

  it('does not follow the customer to another mailbox', async () => {
    const { id: customerId, email } = await person('first password')
    const { id, proof } = await begun(email)
    await core.send('PATCH', `/api/customers/${customerId}`, core.tokens.admin, {
      data: { type: 'customers', id: customerId, attributes: { email: `moved.${email}` } },
    })
    expect(at(await reset(id, proof))).toEqual([['422', AT_TOKEN, 'invalid']])
  })

  it.each([
    [
      'a wrong token',
      { _reset_password_token: 'x', customer_password: 'a new password' },
      [AT_TOKEN, 'invalid'],
    ],
    ['no token', { customer_password: 'a new password' }, [AT_TOKEN, 'blank']],
    ['no password', { _reset_password_token: 'x' }, ['/data/attributes/customer_password', 'blank']],
  ])('refuses %s', async (_what, attributes, error) => {
    const { email } = await person('first password')
    expect(at(await send(idOf(await begin(guest, email)), guest, attributes))).toEqual([['422', ...error]])
  })

  it.each([
    ['qwert', 'too_short'],
    ['x'.repeat(129), 'too_long'],
    [null, 'blank'],
    [123456, 'invalid'],
  ])('refuses the password %j, and keeps it to itself', async (password, error) => {
    const { email, number } = await person('first password')
    const hash = await passwordHashOf(number)
    const { id, proof } = await begun(email)
    const response = await reset(id, proof, password)
    expect(at(response)).toEqual([['422', '/data/attributes/customer_password', error]])
    if (password !== null) expect(response.text).not.toContain(String(password))
    expect(await passwordHashOf(number)).toBe(hash)
  })
})

describe('the token', () => {
  it('has 32 bytes, and is shown to confidential credentials alone', async () => {
    const { email } = await person()
    const created = singleOf(await begin(core.tokens.admin, email)).data
    const proof = created.attributes['reset_password_token']
    expect(Buffer.from(String(proof), 'base64url')).toHaveLength(32)
    expect(await tokenOf(created.id)).toBe(proof)
    const { attributes } = singleOf(await core.get(`/api/${TYPE}/${created.id}`, guest)).data
    expect(Object.keys(attributes)).not.toContain('reset_password_token')
    expect((await core.get(`/api/${TYPE}`, guest)).status).toBe(401)
  })

  it('is stored nowhere as it is, nor is the password', async () => {
    const { email } = await person()
    const { id, proof } = await begun(email)
    expect((await reset(id, proof)).status).toBe(200)
    for (const table of ['customer_password_resets', 'versions', 'events']) {
      const { rows } = await core.pool.query(`SELECT * FROM ${table}`)
      expect(JSON.stringify(rows)).not.toContain(String(proof))
      expect(JSON.stringify(rows)).not.toContain('a new password')
    }
  })

  it('is in no export', async () => {
    const { email } = await person()
    const { proof } = await begun(email)
    const data = { type: 'exports', attributes: { resource_type: TYPE, format: 'json' } }
    const { id } = singleOf(await core.send('POST', '/api/exports', core.tokens.admin, { data })).data
    await core.jobs.runUntilIdle()
    const { rows } = await core.pool.query('SELECT * FROM exports WHERE id = $1', [decodeId('exports', id)])
    expect(JSON.stringify(rows)).not.toContain(String(proof))
  })
})

describe('an email that nobody has', () => {
  const seen = (response: Response) => {
    const { attributes, relationships, ...rest } = singleOf(response).data
    return [response.status, Object.keys(attributes), Object.keys(relationships ?? {}), Object.keys(rest)]
  }

  it('is answered to a storefront as every other, and leads nowhere', async () => {
    const { email } = await person('first password')
    const unknown = await begin(guest, 'nobody@example.com', '?include=customer')
    expect(seen(unknown)).toEqual(seen(await begin(guest, email, '?include=customer')))
    expect(unknown.status).toBe(201)
    expect(await tokenOf(idOf(unknown))).toBeNull()
    expect(at(await reset(idOf(unknown), 'x'))).toEqual([['422', AT_TOKEN, 'invalid']])
    expect((await core.get(`/api/${TYPE}/${idOf(unknown)}/customer`, guest)).status).toBe(401)
  })

  it('is 422 for an integration', async () => {
    expect(at(await begin(core.tokens.admin, 'nobody@example.com'))).toEqual([
      ['422', '/data/attributes/customer_email', 'noent'],
    ])
  })

  it.each([
    ['not an email', 'invalid'],
    [null, 'blank'],
  ])('%j is none at all', async (value, error) => {
    expect(at(await begin(guest, value))).toEqual([['422', '/data/attributes/customer_email', error]])
  })
})

test('a reset goes with its customer', async () => {
  const { id: customerId, email } = await person()
  const { id } = await begun(email)
  expect((await core.send('DELETE', `/api/customers/${customerId}`, core.tokens.admin)).status).toBe(204)
  expect((await core.get(`/api/${TYPE}/${id}`, core.tokens.admin)).status).toBe(404)
})

test('resets are begun no faster than the limits of writes allow', async () => {
  const limited = await openCore('password_resets_limited', {}, { RATE_LIMIT_SCALE: '1' })
  const token = await limited.tokens.mint(salesChannel([1]))
  const data = { type: TYPE, attributes: { customer_email: 'nobody@example.com' } }
  const statuses: number[] = []
  for (let count = 0; count < 26; count += 1)
    statuses.push((await limited.send('POST', `/api/${TYPE}`, token, { data })).status)
  await limited.close()
  expect(statuses).toEqual([...Array.from({ length: 25 }, () => 201), 429])
})

test('a reset is deleted a day after it began, whoever has its email', async () => {
  const { email } = await person('an old password')
  const ids = [
    (await begun(email)).id,
    idOf(await begin(guest, 'nobody@example.com')),
    (await begun(email)).id,
  ]
  const numbers = ids.map((id) => decodeId(TYPE, id))
  await core.pool.query(
    "UPDATE customer_password_resets SET created_at = $2::timestamptz - interval '25 hours' WHERE id = ANY($1)",
    [numbers.slice(0, 2), core.clock.now()],
  )
  await core.jobs.enqueue(deleteOldResets, {}, runOn(core.pool))
  await core.jobs.runUntilIdle()
  const { rows } = await core.pool.query('SELECT id FROM customer_password_resets WHERE id = ANY($1)', [
    numbers,
  ])
  expect(rows).toEqual([{ id: numbers[2] }])
})
