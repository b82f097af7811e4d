import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { demoFileIn, readDemoFile, writeDemoFile } from './demo-file.ts'
import type { DemoFile } from './demo-file.ts'

const credential = { client_id: 'id', client_secret: 'secret' }
const environment = {
  credentials: {
    sales_channel: credential,
    integration: credential,
    integration_read_only: credential,
    integration_custom: credential,
    webapp: { ...credential, redirect_uri: 'https://example.com/callback' },
  },
  markets: [{ id: 'a', code: 'europe', private: false }],
  stores: [],
  stock_locations: [],
  customer: { email: 'a@example.com', password: 'p' },
  private_customer: { email: 'b@example.com', password: 'p', market_code: 'wholesale' },
}
const file: DemoFile = {
  base_url: 'http://localhost:8080',
  auth_url: 'http://localhost:8081',
  domain: 'merx.localhost',
  organizations: [{ slug: 'shop', id: 'x', environments: { test: environment, live: environment } }],
}

describe('demo.json', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'merx-demo-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('comes back as it was written, for its owner only, and leaves no other file', () => {
    writeDemoFile(folder, file)
    expect(readDemoFile(folder)).toEqual(file)
    expect(statSync(demoFileIn(folder)).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['demo.json'])
  })

  it.each(['', '{', 'null', '{}', '{"organizations":[]}'])('counts as absent when it holds %j', (content) => {
    writeFileSync(demoFileIn(folder), content)
    expect(readDemoFile(folder)).toBeUndefined()
  })
})
