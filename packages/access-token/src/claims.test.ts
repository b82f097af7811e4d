import { fromClaims } from './claims.ts'

const CLAIMS = {
  organization: { id: 'enWoxFMOnp', slug: 'the-blue-brand' },
  application: { id: 'DNOPYiZYpn', client_id: 'cid', kind: 'webapp', public: true, confidential: false },
  market: { id: ['mArKeTiDxx'], stock_location_ids: [] },
  store: { id: 'sToReIdxxx' },
  stock_location: { id: 'sToCkLoCxx' },
  owner: { id: 'cUsToMeRid', type: 'Customer' },
  role: { id: 'rOlEiDxxxx', kind: 'admin' },
  scope: 'market:id:mArKeTiDxx',
  exp: 253_402_300_799,
  test: true,
  iat: 0,
  iss: 'https://auth.example.com',
  jti: '0b5e2e9c-5a3b-4e4e-9d6c-0c1b2a3d4e5f',
  auth_time: 0,
}

const reasonOf = (changes: object): string => {
  try {
    fromClaims({ ...CLAIMS, ...changes })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('the claims were taken')
}

describe('claims', () => {
  it('are taken with times from 1970 to 9999', () => {
    const { issuedAt, signedInAt, expiresAt } = fromClaims(CLAIMS)
    expect([issuedAt, signedInAt, expiresAt].map((time) => time?.toISOString())).toEqual([
      '1970-01-01T00:00:00.000Z',
      '1970-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.000Z',
    ])
  })

  it('say nothing of a sign-in, a role or an owner that is not in them', () => {
    const names = Object.keys(
      fromClaims({ ...CLAIMS, auth_time: undefined, role: undefined, owner: undefined }),
    )
    expect(['signedInAt', 'role', 'owner'].filter((name) => names.includes(name))).toEqual([])
  })

  const members = Object.entries(CLAIMS).flatMap(([claim, whole]) =>
    typeof whole === 'object' ? Object.keys(whole).map((member) => ({ claim, whole, member })) : [],
  )

  it.each(members)('are refused with an incomplete $claim: no $member', ({ claim, whole, member }) => {
    expect(reasonOf({ [claim]: { ...whole, [member]: undefined } })).toContain(`claims: /${claim}/${member} `)
  })

  it.each(members)('are refused with a $claim whose $member is 5', ({ claim, whole, member }) => {
    expect(reasonOf({ [claim]: { ...whole, [member]: 5 } })).toContain(`claims: /${claim}/${member} `)
  })

  it.each([
    ['scope', 5],
    ['scope', 'x'.repeat(2_001)],
    ['exp', 253_402_300_800],
    ['exp', -1],
    ['iat', -1],
    ['iat', 1.5],
    ['auth_time', -1],
    ['auth_time', 253_402_300_800],
    ['auth_time', 'yesterday'],
    ['organization', 'x'],
    ['store', 'x'],
  ])('are refused with the %s %j', (claim, value) => {
    expect(reasonOf({ [claim]: value })).toContain(`claims: /${claim} `)
  })

  it('are refused naming each that is wrong', () => {
    expect(reasonOf({ test: 1, jti: 'abc' })).toMatch(/^claims: \/\w+ [^;]+; \/\w+ [^;]+$/)
  })
})
