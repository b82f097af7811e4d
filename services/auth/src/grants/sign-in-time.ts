/** When a customer signed in, as their tokens say it (docs/adr/0069-a-customers-new-password.md). */
import type { CustomerSignInTime } from './grant.ts'

/**
 * @param beganAt before the customer was read, so that a password that is set meanwhile is later
 * @param passwordSetAtSeconds of the customer that was read: `auth_time` has whole seconds, so a sign-in in the rest of
 * the second in which the password was set bears the next
 */
export const signInTimeOf = (beganAt: Date, passwordSetAtSeconds = 0): CustomerSignInTime => ({
  atSeconds: Math.max(Math.floor(beganAt.getTime() / 1000), passwordSetAtSeconds),
  notBeforeSeconds: passwordSetAtSeconds,
})
