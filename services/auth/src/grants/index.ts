/** The grants that exist. A grant not listed does not. */
import { authorizationCode } from './authorization-code.ts'
import { clientCredentials } from './client-credentials.ts'
import type { Grant } from './grant.ts'
import { jwtBearer } from './jwt-bearer.ts'
import { password } from './password.ts'
import { refreshToken } from './refresh-token.ts'

export const grants: readonly Grant[] = [
  clientCredentials,
  password,
  authorizationCode,
  refreshToken,
  jwtBearer,
]
