/** Tokens of customers that were deleted: refused as revoked ones are, by every replica, whoever deleted them. */
import { encodeId, TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { createPublicIds } from '@merx/jsonapi/public-id'
import { eventually } from '@merx/testing/eventually'
import { silentLogger } from '@merx/testing/silent-logger'
import { createDeletedCustomers } from '../../../src/customers/deleted-customers.ts'
import type { DeletedCustomers } from '../../../src/customers/deleted-customers.ts'
import { openDatabase } from '../../../src/engine/database/database.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { customer, errorsOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

let core: TestCore
let database: Database
const followers: DeletedCustomers[] = []

/** As another replica has it, or this one after a restart. */
const follow = async (): Promise<DeletedCustomers> => {
  const ids = createPublicIds({ secret: TEST_ID_SECRET })
  const follower = createDeletedCustomers({ database, ids, log: silentLogger })
  followers.push(follower)
  await follower.start()
  return follower
}

beforeAll(async () => {
  core = await openCore('deleted_customers')
  await core.start()
  database = openDatabase({ url: core.databaseUrl, log: silentLogger })
})
afterAll(async () => {
  for (const follower of followers) await follower.close()
  await database.close()
  await core.close()
})

let people = 0
const person = async () => {
  people += 1
  const body = { data: { type: 'customers', attributes: { email: `person${people}@example.com` } } }
  const { id } = singleOf(await core.send('POST', '/api/customers', core.tokens.admin, body)).data
  const ids = createPublicIds({ secret: TEST_ID_SECRET })
  const number = ids.decode('customers', id) ?? 0
  return { id, number, path: `/api/customers/${id}`, token: await core.tokens.mint(customer(number, [1])) }
}

const statusOf = async (token: string, path: string): Promise<number> => (await core.get(path, token)).status

describe('a token of a customer', () => {
  it('is refused in every request, as a revoked one is, soon after the deletion', async () => {
    const { path, token } = await person()
    expect(await statusOf(token, path)).toBe(200)
    expect((await core.send('DELETE', path, core.tokens.admin)).status).toBe(204)
    await eventually(async () => (await statusOf(token, '/api/skus')) === 401)
    const order = { data: { type: 'orders', attributes: {} } }
    for (const response of [
      await core.get('/api/skus', token),
      await core.get(path, token),
      await core.send('POST', '/api/orders', token, order),
    ]) {
      expect([response.status, errorsOf(response)[0]?.code]).toEqual([401, 'INVALID_TOKEN'])
      expect(response.headers['www-authenticate']).toContain('error="invalid_token"')
    }
  })

  it('is refused also when the customer deletes the own account', async () => {
    const { path, token } = await person()
    expect((await core.send('DELETE', path, token)).status).toBe(204)
    await eventually(async () => (await statusOf(token, '/api/skus')) === 401)
  })

  it('stays good when another customer goes, and so does that of a guest', async () => {
    const [one, other] = [await person(), await person()]
    const guest = await core.tokens.mint({ ...customer(1, [1]), owner: undefined })
    await core.send('DELETE', one.path, core.tokens.admin)
    await eventually(async () => (await statusOf(one.token, '/api/skus')) === 401)
    expect(await statusOf(other.token, other.path)).toBe(200)
    expect(await statusOf(guest, '/api/skus')).toBe(200)
  })
})

const SHOP = { organizationId: 'enWoxFMOnp', mode: 'test' } as const

describe('a replica', () => {
  it('that starts later knows of deletions before', async () => {
    const { id, path } = await person()
    await core.send('DELETE', path, core.tokens.admin)
    expect((await follow()).has(SHOP, id)).toBe(true)
  })

  it('finds a deletion that commits after later ones, and those made in SQL', async () => {
    const follower = await follow()
    const [slow, quick] = [await person(), await person()]
    const slowly = await core.pool.connect()
    await slowly.query('BEGIN')
    await slowly.query('DELETE FROM customers WHERE id = $1', [slow.number])
    await core.send('DELETE', quick.path, core.tokens.admin)
    await eventually(() => follower.has(SHOP, quick.id))
    expect(follower.has(SHOP, slow.id)).toBe(false)
    await slowly.query('COMMIT')
    slowly.release()
    await eventually(() => follower.has(SHOP, slow.id))
  })

  it('refuses nothing for a deletion that was rolled back, in another mode, or of a customer put back', async () => {
    const [kept, back] = [await person(), await person()]
    const follower = await follow()
    const connection = await core.pool.connect()
    await connection.query('BEGIN')
    await connection.query('DELETE FROM customers WHERE id = $1', [kept.number])
    await connection.query('ROLLBACK')
    connection.release()
    await core.pool.query(
      `WITH gone AS (SELECT * FROM customers WHERE id = $1) INSERT INTO deleted_customers (environment_id, customer_id)
       SELECT environment_id, id FROM gone`,
      [back.number],
    )
    const marker = await person()
    await core.send('DELETE', marker.path, core.tokens.admin)
    await eventually(() => follower.has(SHOP, marker.id))
    expect(follower.has(SHOP, kept.id)).toBe(false)
    expect(follower.has(SHOP, back.id)).toBe(false)
    expect(follower.has({ ...SHOP, mode: 'live' }, marker.id)).toBe(false)
    expect(encodeId('customers', marker.number)).toBe(marker.id)
  })
})
