/** /internal/settings, as `merx settings` calls it: what there is, what each may be, and that a change holds at once. */
import { runIn } from '../../../src/engine/database/run-statement.ts'
import { readSetting } from '../../../src/markets/settings.ts'
import { openCoreDatabase } from '../../db/support/core-database.ts'
import type { CoreDatabase } from '../../db/support/core-database.ts'
import { createSmallShop } from '../../db/support/small-shop.ts'
import type { SmallShop } from '../../db/support/small-shop.ts'
import { openInternalCalls, refusalOf } from '../support/internal-calls.ts'
import type { InternalCalls } from '../support/internal-calls.ts'

const ORGANIZATION = 'enWoxFMOnp'

let core: CoreDatabase
let internal: InternalCalls
let shop: SmallShop
beforeAll(async () => {
  core = await openCoreDatabase('internal_settings')
  shop = await createSmallShop(core.database, { organizationId: ORGANIZATION })
  internal = await openInternalCalls(core.database)
})
afterAll(async () => {
  await internal.close()
  await core.drop()
})
beforeEach(() => core.database.query(`UPDATE environments SET settings = '{}'`))

interface Answer {
  readonly settings: readonly { readonly name: string; readonly value: unknown; readonly default: unknown }[]
}

const list = async () => {
  const answer = await internal.call('GET', `/internal/settings?organization_id=${ORGANIZATION}&mode=test`)
  return (answer.body as Answer).settings
}
const change = (settings: unknown, organization = ORGANIZATION) =>
  internal.call('POST', '/internal/settings', { organization_id: organization, mode: 'test', settings })
const detailsOf = ({ body }: Awaited<ReturnType<typeof change>>) =>
  (body as { readonly errors: readonly { readonly detail: string }[] }).errors.map(({ detail }) => detail)

it('shows every setting with its value and its default', async () => {
  await core.database.query(`UPDATE environments SET settings = '{"coupons_min_code_length": 5}'`)
  const found = await list()
  expect(found.length).toBeGreaterThan(50)
  expect(found.filter(({ name }) => /^coupons_|^api_rules_engine$/.test(name))).toEqual([
    { name: 'api_rules_engine', value: false, default: false },
    { name: 'coupons_min_code_length', value: 5, default: 8 },
    { name: 'coupons_max_code_length', value: 40, default: 40 },
  ])
})

it('gives settings values, which hold at once, and their defaults back', async () => {
  const scope = { environmentId: shop.environmentId, organizationId: ORGANIZATION, mode: 'test' } as const
  const read = (name: 'api_rules_engine' | 'support_email') =>
    readSetting(name, { run: runIn(core.database), scope })
  expect((await change({ api_rules_engine: true, support_email: 'help@shop.test' })).status).toBe(200)
  expect([await read('api_rules_engine'), await read('support_email')]).toEqual([true, 'help@shop.test'])
  expect((await change({ api_rules_engine: null })).status).toBe(200)
  expect([await read('api_rules_engine'), await read('support_email')]).toEqual([false, 'help@shop.test'])
})

it.each<[string, object, string]>([
  ['a name that is none', { rules: true }, 'There is no setting "rules"; there are support_phone,'],
  ['a text for a switch', { api_rules_engine: 'yes' }, 'api_rules_engine must be true or false.'],
  ['a part of a unit', { coupons_min_code_length: 1.5 }, 'must be a whole number from 0 to 1,000,000.'],
  ['a number below zero', { coupons_min_code_length: -1 }, 'must be a whole number from 0 to 1,000,000.'],
  ['a number for a text', { support_email: 1 }, 'support_email must be a text of at most 1,000 characters.'],
  ['a long text', { support_email: 'x'.repeat(1001) }, 'a text of at most 1,000 characters.'],
  ['a list for an object', { config: [] }, 'config must be a JSON object.'],
])('refuses %s, and changes none of them', async (_name, settings, detail) => {
  const refused = await change({ tags_max_name_length: 3, ...settings })
  expect([refused.status, detailsOf(refused).length]).toEqual([422, 1])
  expect(detailsOf(refused)[0]).toContain(detail)
  expect(
    (await list()).filter(
      ({ value, default: byDefault }) => value !== byDefault && typeof value !== 'object',
    ),
  ).toEqual([])
})

it('refuses an environment that core does not know, and what is no request', async () => {
  const unknown = await change({ api_rules_engine: true }, 'unKnownOrg')
  expect([unknown.status, detailsOf(unknown)[0]]).toEqual([
    404,
    "Core does not know the test environment of 'unKnownOrg' yet: it learns of it with the first token.",
  ])
  expect(refusalOf(await change({}))).toMatchObject({ status: 400, sources: ['/settings'] })
  expect((await internal.client.request('GET', '/internal/settings')).status).toBe(401)
  expect((await internal.call('PUT', '/internal/settings', {})).status).toBe(405)
})
