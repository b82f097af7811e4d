import type { DemoCredentials, DemoFile } from './demo-file.ts'
import { renderSummary } from './summary.ts'

const credential = { client_id: 'an-id', client_secret: 'a-client-secret' }
const credentials: DemoCredentials = {
  sales_channel: credential,
  integration: credential,
  integration_read_only: credential,
  integration_custom: credential,
  webapp: { ...credential, redirect_uri: 'https://example.com/callback' },
}
const environment = {
  credentials,
  markets: [{ id: 'a', code: 'europe', private: false }],
  stores: [],
  stock_locations: [],
  customer: { email: 'a@b.example', password: 'p' },
  private_customer: { email: 'c@d.example', password: 'p', market_code: 'club' },
}
const demo: DemoFile = {
  base_url: 'http://localhost:8080',
  auth_url: 'http://localhost:8081',
  domain: 'merx.localhost',
  organizations: [{ slug: 'shop', id: 'x', environments: { test: environment, live: environment } }],
}
const users = [{ organization: 'shop', email: 'owner@shop.example', password: 'a-users-password' }]
const summaryOf = (isNew: boolean) => renderSummary({ demo, users, isNew }, '/data/.merx', '/data')

describe('what a start prints when it is ready', () => {
  it('shows secrets when it made them', () => {
    expect(summaryOf(true)).toContain('a-client-secret')
    expect(summaryOf(true)).toContain('a-users-password')
    expect(summaryOf(true)).toContain(
      'Everything above is also in .merx/demo.json and .merx/demo-users.json.',
    )
  })

  it('names the files that hold them at later starts', () => {
    expect(summaryOf(false)).not.toContain('a-client-secret')
    expect(summaryOf(false)).not.toContain('a-users-password')
    expect(summaryOf(false)).toContain(
      'Credentials and passwords are in .merx/demo.json and .merx/demo-users.json.',
    )
    expect(summaryOf(false)).toContain('TOKEN=$(curl')
  })
})
