/** The type of a grant: which clients may use it, and a function from the request to what it grants. */
import type { Clock } from '@merx/telemetry/clock'
import type { AuthenticatedClient, CredentialKind, RoleReference } from '../clients/credential.ts'
import type { Core } from '../core/core-client.ts'
import type { UserReader } from '../roles/user.ts'
import type { ResolvedScope, ScopeFactsReader } from '../scopes/resolve-scope.ts'
import type { Owner } from '../tokens/owner.ts'
import type { RefreshTokens, UsableRefreshToken } from '../tokens/refresh-tokens.ts'
import type { AuthorizationCodes } from './authorization-codes.ts'
import type { CustomerSignIn } from './customer-sign-in.ts'
import type { GrantName } from './grant-names.ts'
import type { ParameterName, TokenParameters } from './token-parameters.ts'

export interface GrantRequest {
  readonly client: AuthenticatedClient
  readonly parameters: TokenParameters
  /** Where the request came from. */
  readonly address: string | undefined
}

export interface GrantDeps {
  readonly core: Pick<Core, 'findCustomer'>
  readonly signInCustomer: CustomerSignIn
  readonly scopeFacts: ScopeFactsReader
  readonly users: UserReader
  readonly codes: AuthorizationCodes
  readonly refreshTokens: Pick<RefreshTokens, 'requireUsable' | 'find' | 'revokeFamily'>
  readonly clock: Clock
}

/** When the customer of a token signed in, Unix seconds. */
export interface CustomerSignInTime {
  readonly atSeconds: number
  /** Tokens of an earlier sign-in are over: the customer has another password since. */
  readonly notBeforeSeconds: number
}

/** Which refresh token comes with the access token. */
export type RefreshPlan =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'begin'
      readonly grant: GrantName
      /** Of the owner as the grant found them. */
      readonly passwordMark?: string | undefined
    }
  | { readonly kind: 'rotate'; readonly used: UsableRefreshToken }

export interface Granted {
  readonly scope: ResolvedScope
  readonly owner?: Owner | undefined
  /** With a customer as owner only. */
  readonly signIn?: CustomerSignInTime | undefined
  readonly role?: RoleReference | undefined
  readonly customClaim?: Record<string, unknown> | undefined
  /** Whether an identical request within the token's life gets the same access token. */
  readonly isReusable: boolean
  readonly refresh: RefreshPlan
  /** What is left to do once the tokens exist. The answer is withheld when it throws. */
  readonly afterIssue?: (answer: { readonly refresh_token?: string }) => Promise<void>
}

export interface Grant {
  readonly name: GrantName
  /** Contract, Grant types per credential kind. */
  readonly kinds: readonly CredentialKind[]
  readonly requiredParameters: readonly ParameterName[]
  /** True: public credentials must send their secret too. */
  readonly isSecretRequired: boolean
  /** @throws AppError of the OAuth dialect */
  readonly run: (request: GrantRequest, deps: GrantDeps) => Promise<Granted>
}
