import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CredentialRecord } from '@merx/auth/provisioning/records'
import {
  consoleFileIn,
  ensureConsoleCredentials,
  type ConsoleCredentialsDeps,
} from './console-credentials.ts'

/** Auth's provisioning, as far as the console asks it. */
const createFakeProvisioning = () => {
  const records = new Map<string, { organizationId: string; redirectUri: string }>()
  const provisioning: ConsoleCredentialsDeps['provisioning'] = {
    createCredential: async ({ organizationId, redirectUri = '' }) => {
      const clientId = `client-${records.size + 1}`
      records.set(clientId, { organizationId, redirectUri })
      return { id: clientId, clientId, clientSecret: `secret-${records.size}` }
    },
    findCredential: async (clientId) => {
      const found = records.get(clientId)
      const { organizationId: id = '', redirectUri = '' } = found ?? {}
      return found && ({ id: clientId, organization: { id, slug: '' }, redirectUri } as CredentialRecord)
    },
    updateCredential: async (id, { redirectUri }) => {
      const found = records.get(id)
      if (found === undefined) throw new Error('there is no such credential')
      records.set(id, { ...found, redirectUri: redirectUri ?? '' })
      return { id }
    },
  }
  return { records, provisioning }
}

let dataFolder: string
beforeEach(() => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'merx-console-'))
})
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }))

const ensure = (provisioning: ConsoleCredentialsDeps['provisioning'], port = 8080) =>
  ensureConsoleCredentials({
    ...{ provisioning, dataFolder },
    baseUrl: `http://localhost:${port}`,
    organizations: [{ id: 'org1', slug: 'shop' }],
  })

describe('the credentials of the console', () => {
  it('are made once for each mode, and kept in a file of their owner', async () => {
    const { records, provisioning } = createFakeProvisioning()
    const made = await ensure(provisioning)
    expect(made.map(({ organization, mode, redirect_uri }) => [organization, mode, redirect_uri])).toEqual([
      ['shop', 'test', 'http://localhost:8080/console/callback'],
      ['shop', 'live', 'http://localhost:8080/console/callback'],
    ])
    expect(await ensure(provisioning)).toEqual(made)
    expect(records.size).toBe(2)
    expect(JSON.parse(readFileSync(consoleFileIn(dataFolder), 'utf8'))).toEqual(made)
    expect(statSync(consoleFileIn(dataFolder)).mode & 0o777).toBe(0o600)
  })

  it('move with the address of the system', async () => {
    const { records, provisioning } = createFakeProvisioning()
    const [before] = await ensure(provisioning)
    const [after] = await ensure(provisioning, 9090)
    expect(after).toEqual({ ...before, redirect_uri: 'http://localhost:9090/console/callback' })
    expect(records.get(after?.client_id ?? '')?.redirectUri).toBe('http://localhost:9090/console/callback')
    expect(records.size).toBe(2)
  })

  it('are made again when auth does not know them, or they are those of another organization', async () => {
    const [before] = await ensure(createFakeProvisioning().provisioning)
    const { records, provisioning } = createFakeProvisioning()
    records.set(before?.client_id ?? '', { organizationId: 'another', redirectUri: '' })
    const again = await ensure(provisioning)
    expect(again.map(({ client_id: id }) => records.get(id)?.organizationId)).toEqual(['org1', 'org1'])
  })

  it('are refused in one sentence when the file is damaged', async () => {
    writeFileSync(consoleFileIn(dataFolder), '{}')
    await expect(ensure(createFakeProvisioning().provisioning)).rejects.toThrow(
      'is not a list of the console',
    )
  })
})
