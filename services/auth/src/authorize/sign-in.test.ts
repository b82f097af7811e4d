import { Secret } from '@merx/config/secret'
import { hashPassword, passwordWork } from '@merx/passwords/passwords'
import { createFakeClock } from '@merx/testing/fake-clock'
import { createPasswordAttempts } from '../guessing/password-attempts.ts'
import { createLimits } from '../limits.ts'
import type { Account } from './account.ts'
import { createSignIn } from './sign-in.ts'
import { createSignedValues } from './signed-values.ts'

const role = { id: 'roleroller', kind: 'admin', name: 'Admin' } as const
const user = {
  id: 'useruserus',
  email: 'ann@shop.example',
  firstName: '',
  lastName: '',
  timeZone: 'UTC',
  passwordMark: 'mark',
  isOwner: true,
  role,
}

const signInOf = (account: Account | undefined) =>
  createSignIn({
    accounts: { findByEmail: async () => account },
    attempts: createPasswordAttempts(createLimits({ clock: createFakeClock() }).passwords),
    signed: createSignedValues(new Secret('Zq3v9Lw2Xr7Tn5Kp')),
  })

const attempt = {
  organizationId: 'orgorgorgo',
  email: 'ann@shop.example',
  password: 'wrong',
  address: '192.0.2.1',
}

describe('a refused sign-in', () => {
  it('costs one password hash and says the same, whether or not there is such a user', async () => {
    const account = { organizationId: 'orgorgorgo', user, passwordHash: await hashPassword('right') }
    for (const known of [account, undefined]) {
      const before = passwordWork().computed
      expect(await signInOf(known)(attempt)).toEqual({ kind: 'refused' })
      expect(passwordWork().computed - before).toBe(1)
    }
  })
})
