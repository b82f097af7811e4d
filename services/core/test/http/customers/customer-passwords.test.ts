/** A customer's new password: which tokens it ends, and whose token may set one. */
import { encodeId, TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { createPublicIds } from '@merx/jsonapi/public-id'
import { eventually } from '@merx/testing/eventually'
import { customer, errorsOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

let core: TestCore
beforeAll(async () => {
  core = await openCore('customer_passwords')
  await core.start()
})
afterAll(() => core.close())

const ids = createPublicIds({ secret: TEST_ID_SECRET })
const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000)

let people = 0
/** A customer whose password was never changed. */
const person = async () => {
  people += 1
  const attributes = { email: `person${people}@example.com`, password: 'first password' }
  const body = { data: { type: 'customers', attributes } }
  const { id } = singleOf(await core.send('POST', '/api/customers', core.tokens.admin, body)).data
  return { id, number: ids.decode('customers', id) ?? 0, path: `/api/customers/${id}` }
}

/** @param seconds after now at which the customer signed in */
const tokenOf = (number: number, seconds = 0, more: Readonly<Record<string, unknown>> = {}) =>
  core.tokens.mint({ ...customer(number, [1]), auth_time: secondsOf(core.clock.now()) + seconds, ...more })

const patch = (id: string, token: string, attributes: Readonly<Record<string, unknown>>) =>
  core.send('PATCH', `/api/customers/${id}`, token, { data: { type: 'customers', id, attributes } })

const statusOf = async (token: string, path: string): Promise<number> => (await core.get(path, token)).status

const untilRefused = (token: string, path: string): Promise<boolean> =>
  eventually(async () => (await statusOf(token, path)) === 401)

/** By the database's clock, as the triggers write it; the tests' own stands still elsewhere. */
const setAtSeconds = async (number: number): Promise<number> => {
  const { rows } = await core.pool.query<{ at: number }>(
    'SELECT ceil(extract(epoch FROM changed_at))::float8 AS at FROM changed_passwords WHERE customer_id = $1',
    [number],
  )
  return rows[0]?.at ?? 0
}

describe('a new password of a customer', () => {
  it.each([
    ['set by an integration', { password: 'second password' }],
    ['removed', { password: null }],
  ])('ends the tokens of earlier sign-ins when it is %s', async (_how, attributes) => {
    const { id, number, path } = await person()
    const before = await tokenOf(number)
    expect(await statusOf(before, path)).toBe(200)
    expect((await patch(id, core.tokens.admin, attributes)).status).toBe(200)
    await untilRefused(before, path)
    const refused = await core.get('/api/skus', before)
    expect([refused.status, errorsOf(refused)[0]?.code]).toEqual([401, 'INVALID_TOKEN'])
    expect((await patch(id, before, { password: 'third password' })).status).toBe(401)
  })

  it('ends the token that set it, and not the one of the next sign-in', async () => {
    const { id, number, path } = await person()
    const own = await tokenOf(number)
    expect((await patch(id, own, { password: 'second password' })).status).toBe(200)
    await untilRefused(own, path)
    const at = await setAtSeconds(number)
    expect(await statusOf(await tokenOf(number, 0, { auth_time: at }), path)).toBe(200)
    expect(await statusOf(await tokenOf(number, 0, { auth_time: at - 1 }), path)).toBe(401)
  })

  it('ends a token without a time of sign-in by the time it was issued', async () => {
    const { id, number, path } = await person()
    const before = await core.tokens.mint(customer(number, [1]))
    await patch(id, core.tokens.admin, { password: 'second password' })
    await untilRefused(before, path)
    const after = await core.tokens.mint({ ...customer(number, [1]), iat: await setAtSeconds(number) })
    expect(await statusOf(after, path)).toBe(200)
  })

  it('leaves other customers, guests and other attributes alone', async () => {
    const [one, other] = [await person(), await person()]
    const [oneToken, otherToken] = [await tokenOf(one.number), await tokenOf(other.number)]
    const guest = await core.tokens.mint({ ...customer(1, [1]), owner: undefined })
    await patch(other.id, core.tokens.admin, { metadata: { vip: true } })
    await patch(one.id, core.tokens.admin, { password: 'second password' })
    await untilRefused(oneToken, one.path)
    expect(await statusOf(otherToken, other.path)).toBe(200)
    expect(await statusOf(guest, '/api/skus')).toBe(200)
  })
})

it('keeps connections for others while many passwords are set at once', async () => {
  const guest = await core.tokens.mint({ ...customer(1, [1]), owner: undefined })
  let set = 0
  const flood = Array.from({ length: 30 }, async (_, index) => {
    const attributes = { email: `flood${index}@example.com`, password: 'first password' }
    const body = { data: { type: 'customers', attributes } }
    const { status } = await core.send('POST', '/api/customers', core.tokens.admin, body)
    set += 1
    return status
  })
  await new Promise((resolve) => setTimeout(resolve, 20)) // so that all of them have come
  expect(await statusOf(guest, '/api/skus?filter[q][code_eq]=of-nobody')).toBe(200)
  expect(set).toBeLessThan(15)
  expect(new Set(await Promise.all(flood))).toEqual(new Set([201]))
})

describe('a token of a customer', () => {
  it.each(['password', 'email'])(
    'sets the %s up to 15 minutes after the sign-in, and not later',
    async (name) => {
      const value = (number: number) =>
        name === 'email' ? `changed${number}@example.com` : 'second password'
      const [soon, late] = [await person(), await person()]
      const changed = await patch(soon.id, await tokenOf(soon.number, -900), { [name]: value(soon.number) })
      expect(changed.status).toBe(200)
      const refused = await patch(late.id, await tokenOf(late.number, -901), { [name]: value(late.number) })
      expect(refused.status).toBe(401)
      expect(errorsOf(refused)).toMatchObject([
        { code: 'UNAUTHORIZED', source: { pointer: `/data/attributes/${name}` } },
      ])
      expect(refused.headers['www-authenticate']).toContain('error="insufficient_user_authentication"')
    },
  )

  it('sets none when it does not say when the customer signed in', async () => {
    const { id, number } = await person()
    const token = await core.tokens.mint(customer(number, [1]))
    expect((await patch(id, token, { password: 'second password' })).status).toBe(401)
  })

  it('changes everything else however long ago the sign-in was', async () => {
    const { id, number } = await person()
    const token = await tokenOf(number, -7_000)
    expect((await patch(id, token, { metadata: { size: 'M' } })).status).toBe(200)
    expect(encodeId('customers', number)).toBe(id)
  })
})
