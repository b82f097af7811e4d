/** Questions that users keep: their own, for each mode by itself, whatever their role. */
import { SAVED_QUESTIONS_MAX } from '../../../src/provisioning/resources/saved-questions.ts'
import { clientOf, REDIRECT_URI, startTestSystem, type TestSystem } from '../../support/auth-system.ts'
import {
  clientWith,
  dataOf,
  JSON_API,
  listOf,
  PASSWORD,
  provisionOther,
  refusalOf,
  signIn,
  type Client,
} from '../../support/provisioning.ts'

let system: TestSystem
let owner: Client
let reader: Client
beforeAll(async () => {
  system = await startTestSystem({ name: 'saved_questions' })
  const { organizationId } = system
  const { id: roleId } = await system.auth.provisioning.createRole({
    ...{ organizationId, name: 'Reader', kind: 'read_only' },
  })
  const email = 'reader@shop.example'
  await system.auth.provisioning.createUser({ organizationId, email, password: PASSWORD, roleId })
  owner = clientWith(system, await signIn(system, { email: 'owner@shop.example' }))
  reader = clientWith(system, await signIn(system, { email }))
})
afterAll(() => system.close())

const attributes = { name: 'Revenue by day', question: 'of=orders&kind=date_breakdown&days=30' }

const namesOf = async (client: Client): Promise<readonly unknown[]> =>
  listOf(await client.get('saved_questions')).map((each) => each.attributes['name'])

describe('saved questions', () => {
  it('are saved, listed, changed and deleted by a user who may only read', async () => {
    const created = await reader.post('saved_questions', { attributes })
    expect([created.status, created.headers['content-type']]).toEqual([201, JSON_API])
    expect(dataOf(created)).toMatchObject({
      type: 'saved_questions',
      attributes: { ...attributes, screen: 'metrics' },
      meta: { mode: 'test' },
    })
    expect(created.headers['location']).toBe(dataOf(created).links.self)
    const { id } = dataOf(created)
    const changed = await reader.patch('saved_questions', id, { attributes: { name: 'Sales' } })
    expect([changed.status, dataOf(changed).attributes]).toEqual([
      200,
      expect.objectContaining({ name: 'Sales', question: attributes.question }),
    ])
    await reader.post('saved_questions', { attributes })
    expect(await namesOf(reader)).toEqual(['Sales', attributes.name])
    expect((await reader.remove('saved_questions', id)).status).toBe(204)
    expect(await namesOf(reader)).toEqual([attributes.name])
  })

  it('are of another screen of the console when they say so, and stay there', async () => {
    const view = { screen: 'orders', name: 'To approve', question: 'status=placed' }
    const { id } = dataOf(await reader.post('saved_questions', { attributes: view }))
    const changed = await reader.patch('saved_questions', id, { attributes: { name: 'Waiting' } })
    expect(dataOf(changed).attributes).toMatchObject({ ...view, name: 'Waiting' })
    const moved = await reader.patch('saved_questions', id, { attributes: { screen: 'metrics' } })
    expect([moved.status, refusalOf(moved).errors[0]?.[1]]).toEqual([400, '/data/attributes/screen'])
    expect((await reader.remove('saved_questions', id)).status).toBe(204)
  })

  it("are nobody else's, not even an administrator's", async () => {
    const { id } = dataOf(await reader.post('saved_questions', { attributes }))
    expect(await namesOf(owner)).toEqual([])
    const missing = { status: 404, errors: [['RECORD_NOT_FOUND', undefined]] }
    expect(refusalOf(await owner.patch('saved_questions', id, { attributes }))).toEqual(missing)
    expect(refusalOf(await owner.remove('saved_questions', id))).toEqual(missing)
    const other = await provisionOther(system, 'elsewhere')
    const token = await signIn(system, { email: other.email, webapp: other.webapp })
    expect(refusalOf(await clientWith(system, token).remove('saved_questions', id))).toEqual(missing)
    expect(refusalOf(await reader.remove('saved_questions', 'nothing'))).toEqual(missing)
  })

  it('of test and live are apart', async () => {
    const { organizationId } = system
    const webapp = await system.auth.provisioning.createCredential({
      ...{
        organizationId,
        mode: 'live',
        kind: 'webapp',
        name: 'Live',
        redirectUri: REDIRECT_URI,
      },
    })
    const live = clientWith(system, await signIn(system, { email: 'reader@shop.example', webapp }))
    const { id } = dataOf(await live.post('saved_questions', { attributes: { ...attributes, name: 'Live' } }))
    expect(await namesOf(live)).toEqual(['Live'])
    expect(await namesOf(reader)).not.toContain('Live')
    expect((await reader.remove('saved_questions', id)).status).toBe(404)
  })

  it('are at most as many as a list holds', async () => {
    const all = Array.from({ length: SAVED_QUESTIONS_MAX + 3 }, () =>
      owner.post('saved_questions', { attributes }),
    )
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(SAVED_QUESTIONS_MAX)
    const refused = await owner.post('saved_questions', { attributes })
    expect(refusalOf(refused)).toEqual({ status: 422, errors: [['VALIDATION_ERROR', '/data']] })
    expect(refused.text).toContain(`at most ${SAVED_QUESTIONS_MAX}`)
    expect(await namesOf(owner)).toHaveLength(SAVED_QUESTIONS_MAX)
  })

  it.each([
    ['no name', { question: 'a' }, '/data/attributes/name'],
    ['a blank name', { name: ' ', question: 'a' }, '/data/attributes/name'],
    ['a name that is too long', { name: 'x'.repeat(121), question: 'a' }, '/data/attributes/name'],
    ['an unknown screen', { screen: 'home', name: 'x', question: 'a' }, '/data/attributes/screen'],
    ['no question', { name: 'x' }, '/data/attributes/question'],
    ['a question that is too long', { name: 'x', question: 'x'.repeat(2_001) }, '/data/attributes/question'],
    ['a question that is no text', { name: 'x', question: { a: 1 } }, '/data/attributes/question'],
  ])('are refused with %s', async (_what, sent, pointer) => {
    const refused = await reader.post('saved_questions', { attributes: sent })
    expect(refusalOf(refused)).toEqual({ status: 422, errors: [['VALIDATION_ERROR', pointer]] })
  })

  it('have no other attributes, and their list no parameters', async () => {
    const unknown = await reader.post('saved_questions', { attributes: { ...attributes, user_id: 1 } })
    expect([unknown.status, refusalOf(unknown).errors[0]?.[1]]).toEqual([400, '/data/attributes/user_id'])
    expect((await reader.get('saved_questions?page[size]=1')).status).toBe(400)
    expect((await reader.get('saved_questions/aaaaaaaaaa')).status).toBe(405)
  })
})

describe('whoever did not sign in themselves', () => {
  it('has no saved questions', async () => {
    const { integration, salesChannel } = system.credentials
    const bodies = [
      { grant_type: 'client_credentials', ...clientOf(integration) },
      { grant_type: 'client_credentials', client_id: salesChannel.clientId, scope: 'market:code:usa' },
    ]
    for (const body of bodies) {
      const { access_token: token } = (await system.token(body)).body as { access_token: string }
      const refused = await clientWith(system, token).get('saved_questions')
      expect(refusalOf(refused)).toEqual({ status: 401, errors: [['UNAUTHORIZED', undefined]] })
    }
    expect((await system.api.get('/provisioning/saved_questions')).status).toBe(401)
  })
})
