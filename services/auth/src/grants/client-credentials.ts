/** RFC 6749 4.4: the credential speaks for itself. No refresh token (4.4.3). */
import { resolveScope } from '../scopes/resolve-scope.ts'
import type { Grant } from './grant.ts'

export const clientCredentials: Grant = {
  name: 'client_credentials',
  kinds: ['sales_channel', 'integration'],
  requiredParameters: [],
  isSecretRequired: false,
  run: async ({ client, parameters }, { scopeFacts }) => {
    const { credential } = client
    const situation = { grant: 'client_credentials', isRecalculation: false } as const
    return {
      scope: await resolveScope(parameters.scope, credential, situation, scopeFacts),
      role: credential.role,
      isReusable: true,
      refresh: { kind: 'none' },
    }
  },
}
