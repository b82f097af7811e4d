/** What the command line does with a reference that is the id of one record and the name of another. */
import { slugViolation } from '../../src/provisioning/input-rules.ts'
import { toPublicId } from '../../src/store/public-ids.ts'
import { startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { merxOn } from '../support/run-merx.ts'
import { runSql } from '../support/sql.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'merx_references' })
})
afterAll(() => system.close())

const { run, json } = merxOn(() => system)

interface Named {
  readonly id: string
  readonly name: string
}

/** The error of a command with --json that must not work. */
const refusalOf = async (...args: readonly string[]) => {
  const { code, out, err } = await run([...args, '--json', '--yes'])
  expect(out).toBe('')
  const [error] = (JSON.parse(err) as { errors: readonly { code: string; detail: string }[] }).errors
  return { exit: code, ...error }
}

describe('a role whose name is the id of another', () => {
  it('is named by its own id, the other by its name; what both share is refused', async () => {
    const create = (name: string) =>
      json<Named>(['roles', 'create', 'shop', '--name', name, '--kind', 'custom'])
    const meant = await create('Meant')
    const namesake = await create('Namesake')
    await runSql(system.databaseUrl, `UPDATE roles SET name = '${meant.id}' WHERE name = 'Namesake'`)
    const detail = `'${meant.id}' is the id of one role and the name of another; name the first by its name, the second by its id.`
    const refused = { exit: 2, code: 'validation_error', detail }
    for (const args of [
      ['roles', 'show', 'shop', meant.id],
      ['roles', 'update', 'shop', meant.id, '--name', 'Other'],
      ['roles', 'delete', 'shop', meant.id],
      ['users', 'update', 'shop', 'owner@shop.example', '--role', meant.id],
      ['credentials', 'update', system.credentials.integration.id, '--role', meant.id],
    ])
      expect(await refusalOf(...args)).toEqual(refused)
    expect(await json(['roles', 'show', 'shop', 'Meant'])).toMatchObject({ id: meant.id })
    expect(await json(['roles', 'delete', 'shop', namesake.id])).toMatchObject({ id: namesake.id })
    expect(await json(['roles', 'show', 'shop', meant.id])).toMatchObject({ name: 'Meant' })
  })
})

describe('an organization whose slug is the id of another', () => {
  it('is named by its own id, the other by its slug; what both share is refused', async () => {
    const create = (slug: string) => json<Named>(['organizations', 'create', '--slug', slug, '--name', slug])
    let number = 1_000n
    while (slugViolation(toPublicId('organizations', number)) !== undefined) number += 1n
    const id = toPublicId('organizations', number)
    await create('meant')
    await runSql(system.databaseUrl, `UPDATE organizations SET id = ${number} WHERE slug = 'meant'`)
    const namesake = await create(id)
    expect(await refusalOf('organizations', 'delete', id)).toMatchObject({
      ...{ exit: 2, code: 'validation_error' },
      detail: expect.stringContaining('is the id of one organization and the slug of another') as unknown,
    })
    expect(await json(['organizations', 'delete', 'meant'])).toMatchObject({ id })
    expect(await json(['organizations', 'show', id])).toMatchObject({ id: namesake.id })
  })
})
