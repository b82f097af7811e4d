import { AppError } from '@merx/errors/app-error'
import { createFakeClock } from '@merx/testing/fake-clock'
import { createRecordingLogger } from '@merx/testing/silent-logger'
import { hashOpaqueToken } from '../clients/client-secret.ts'
import type { AuthenticatedClient } from '../clients/credential.ts'
import type { AccessToken } from './access-token.ts'
import { createRefreshTokens, isReplay, REPLAY_GRACE_SECONDS } from './refresh-tokens.ts'
import type {
  BeginOutcome,
  RefreshFamily,
  RefreshTokenStore,
  RotationOutcome,
  StoredRefreshToken,
} from './refresh-tokens.ts'

const NOW = new Date('2026-01-15T12:00:00Z')
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000)

const FAMILY: RefreshFamily = { credentialId: 'enWoxFMOnp', scope: 'market:all', grant: 'password' }

const CLIENT: AuthenticatedClient = {
  isConfidential: true,
  credential: {
    id: 'enWoxFMOnp',
    clientId: 'client',
    name: 'shop',
    kind: 'sales_channel',
    mode: 'test',
    secretHash: new Uint8Array(32),
    isDisabled: false,
    organization: { id: 'orgorgorgo', slug: 'shop', isEnterprise: false, region: 'eu-west-1' },
  },
}

const ACCESS: AccessToken = {
  token: 'access',
  tokenId: 'jti',
  kid: 'key',
  issuedAtSeconds: NOW.getTime() / 1000,
  expiresAtSeconds: at(7200).getTime() / 1000,
}

const stored = (more: Partial<StoredRefreshToken> = {}): StoredRefreshToken => ({
  id: 1n,
  familyId: 7n,
  family: FAMILY,
  signedInAt: at(-100),
  isFamilyRevoked: false,
  expiresAt: at(1),
  isSuccessorUsed: false,
  isSiblingUsed: false,
  ...more,
})

interface Store {
  readonly found?: StoredRefreshToken
  readonly begun?: BeginOutcome
  readonly rotated?: RotationOutcome
}

const setUp = ({ found, begun = 'begun', rotated = 'rotated' }: Store = {}) => {
  const calls: unknown[][] = []
  const store: RefreshTokenStore = {
    begin: async (...call) => (calls.push(['begin', ...call]), begun),
    findByHash: async (...call) => (calls.push(['findByHash', ...call]), found),
    rotate: async (...call) => (calls.push(['rotate', ...call]), rotated),
    revokeFamily: async (...call) => void calls.push(['revokeFamily', ...call]),
  }
  const onRevoked = async () => void calls.push(['onRevoked'])
  const { log, lines } = createRecordingLogger()
  const tokens = createRefreshTokens({ store, clock: createFakeClock(NOW.toISOString()), log, onRevoked })
  return { tokens, calls, lines }
}

const REVOCATION = [
  [
    'revokeFamily',
    7n,
    NOW,
    {
      actor: { kind: 'client', name: 'client', origin: 'unknown' },
      action: 'refresh_token.replay',
      subject: { type: 'refresh_families', id: '7' },
      organizationId: 'orgorgorgo',
      details: { credential: 'enWoxFMOnp' },
    },
  ],
  ['onRevoked'],
]

const refusalOf = async (refused: Promise<unknown>) => {
  const error = await refused.catch((thrown: unknown) => thrown)
  if (!(error instanceof AppError)) throw new Error('nothing was refused')
  return { code: error.code, detail: error.detail, cause: error.cause }
}

const invalid = (cause: string) => ({
  code: 'invalid_grant',
  detail:
    'The provided grant is invalid: the refresh token is unknown, expired, revoked, already used, or of another client.',
  cause,
})

describe('a replay', () => {
  const used = { usedAt: NOW, isSuccessorUsed: false, isSiblingUsed: false }

  it.each([
    [false, 'the first use', { ...used, usedAt: undefined }, 0],
    [false, 'a second use at once', used, 0],
    [false, 'a second use at the end of the grace', used, REPLAY_GRACE_SECONDS],
    [true, 'a second use after the grace', used, REPLAY_GRACE_SECONDS + 0.001],
    [true, 'a second use after its successor was used', { ...used, isSuccessorUsed: true }, 1],
    [true, 'a first use after a sibling was used', { ...used, usedAt: undefined, isSiblingUsed: true }, 1],
    [true, 'a second use after a sibling was used', { ...used, isSiblingUsed: true }, 1],
  ])('%s: %s', (expected, _case, { usedAt, ...facts }, seconds) => {
    const token = { ...facts, ...(usedAt === undefined ? {} : { usedAt }) }
    expect(isReplay(token, at(seconds), REPLAY_GRACE_SECONDS)).toBe(expected)
  })
})

describe('a refresh token', () => {
  it('is found by its hash', async () => {
    const { tokens, calls } = setUp({ found: stored() })
    expect(await tokens.find('text')).toEqual(stored())
    expect(calls).toEqual([['findByHash', hashOpaqueToken('text')]])
  })

  it.each([
    ['is new', {}],
    ['is used again within its grace', { usedAt: at(-REPLAY_GRACE_SECONDS) }],
  ])('can be exchanged while it %s', async (_case, more) => {
    const { tokens, calls } = setUp({ found: stored(more) })
    expect(await tokens.requireUsable('text', CLIENT)).toEqual(stored(more))
    expect(calls).toHaveLength(1)
  })

  it.each<[string, StoredRefreshToken | undefined]>([
    ['unknown', undefined],
    ['another client', stored({ family: { ...FAMILY, credentialId: 'another' }, isFamilyRevoked: true })],
    ['revoked', stored({ isFamilyRevoked: true, expiresAt: NOW })],
    ['expired', stored({ expiresAt: NOW, isSiblingUsed: true })],
  ])('is refused as %s, in one wording, and its family lives on', async (cause, found) => {
    const { tokens, calls } = setUp(found === undefined ? {} : { found })
    expect(await refusalOf(tokens.requireUsable('text', CLIENT))).toEqual(invalid(cause))
    expect(calls).toHaveLength(1)
  })

  it('ends its family when it is replayed', async () => {
    const found = stored({ usedAt: at(-REPLAY_GRACE_SECONDS - 1) })
    const { tokens, calls, lines } = setUp({ found })
    expect(await refusalOf(tokens.requireUsable('text', CLIENT))).toEqual(invalid('replayed'))
    expect(calls.slice(1)).toEqual(REVOCATION)
    expect(lines).toMatchObject([
      { family_id: '7', msg: 'a refresh token was replayed, its family is revoked' },
    ])
  })
})

/** The row that a token is stored as. */
const rowOf = (token: string) => ({
  tokenHash: hashOpaqueToken(token),
  accessTokenId: 'jti',
  accessExpiresAt: at(7200),
  createdAt: NOW,
  expiresAt: at(14 * 24 * 3600),
})

describe('a family', () => {
  it('begins with a token of two weeks, of which only the hash is stored', async () => {
    const { tokens, calls } = setUp()
    const token = await tokens.begin(FAMILY, ACCESS)
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(calls).toEqual([['begin', FAMILY, rowOf(token)]])
  })

  it.each([
    ['client_gone', { code: 'invalid_client', cause: 'deleted while the token was made' }],
    [
      'user_changed',
      {
        code: 'invalid_grant',
        detail:
          'The provided grant is invalid: its user was disabled, deleted or given another password meanwhile.',
        cause: undefined,
      },
    ],
  ] as const)('does not begin after %s', async (begun, expected) => {
    expect(await refusalOf(setUp({ begun }).tokens.begin(FAMILY, ACCESS))).toMatchObject(expected)
  })

  it('goes on with another token', async () => {
    const { tokens, calls } = setUp()
    const token = await tokens.rotate(stored(), ACCESS, CLIENT)
    expect(calls).toEqual([['rotate', stored(), rowOf(token), NOW, REPLAY_GRACE_SECONDS]])
  })

  it('ends when another use of the token came first', async () => {
    const { tokens, calls } = setUp({ rotated: 'replayed' })
    expect(await refusalOf(tokens.rotate(stored(), ACCESS, CLIENT))).toEqual(invalid('replayed'))
    expect(calls.slice(1)).toEqual(REVOCATION)
  })

  it('that was revoked meanwhile gives no token', async () => {
    const { tokens, calls } = setUp({ rotated: 'revoked' })
    expect(await refusalOf(tokens.rotate(stored(), ACCESS, CLIENT))).toEqual(invalid('revoked'))
    expect(calls).toHaveLength(1)
  })
})
