/** RFC 6749 4.3: a customer of the shop signs in with email and password. */
import { AppError } from '@merx/errors/app-error'
import { environmentOf, resolveScope } from '../scopes/resolve-scope.ts'
import type { Grant } from './grant.ts'
import { signInTimeOf } from './sign-in-time.ts'
import { requireParameter } from './token-parameters.ts'

export const password: Grant = {
  name: 'password',
  kinds: ['sales_channel'],
  requiredParameters: ['username', 'password'],
  isSecretRequired: false,
  run: async ({ client, parameters, address }, { signInCustomer, scopeFacts, clock }) => {
    const beganAt = clock.now()
    const customer = await signInCustomer(environmentOf(client.credential), {
      email: requireParameter(parameters, 'username'),
      password: requireParameter(parameters, 'password'),
      address,
    })
    if (customer === undefined) {
      // The same words for an unknown email and a wrong password: nobody learns which customers exist.
      throw new AppError('invalid_grant', {
        detail: 'The provided grant is invalid: the email or the password is wrong.',
      })
    }
    const situation = {
      grant: 'password',
      isRecalculation: false,
      customerGroupId: customer.customerGroupId,
    } as const
    return {
      scope: await resolveScope(parameters.scope, client.credential, situation, scopeFacts),
      owner: { type: 'Customer', id: customer.id },
      signIn: signInTimeOf(beganAt, customer.passwordSetAtSeconds),
      isReusable: true,
      refresh: { kind: 'begin', grant: 'password', passwordMark: customer.passwordMark },
    }
  },
}
