/** Shapes of what travels, as far as the tests read them. */

export interface Linkage {
  readonly type: string
  readonly id: string
}

export interface ResourceObject extends Linkage {
  readonly links?: { readonly self?: string }
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<
    Record<string, { readonly links?: unknown; readonly data?: Linkage | readonly Linkage[] | null }>
  >
  readonly meta?: { readonly mode?: string; readonly organization_id?: string }
}

export interface ResourceDocument {
  readonly data: ResourceObject
  readonly included?: readonly ResourceObject[]
}

export interface CollectionDocument {
  readonly data: readonly ResourceObject[]
  readonly included?: readonly ResourceObject[]
  readonly meta: { readonly record_count: number; readonly page_count: number }
  readonly links: {
    readonly first: string
    readonly prev?: string
    readonly next?: string
    readonly last: string
  }
}

export interface JsonApiErrors {
  readonly errors: readonly {
    readonly title: string
    readonly detail: string
    readonly code: string
    readonly status: string
    readonly source?: {
      readonly pointer?: string
      readonly parameter?: string
      readonly header?: string
    }
    readonly meta?: Readonly<Record<string, unknown>>
  }[]
}

export interface OAuthErrors {
  readonly error: string
  readonly error_description: string
  readonly errors: readonly {
    readonly title: string
    readonly detail: string
    readonly code: string
    readonly status: number
  }[]
}

export interface TokenBody {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
  readonly created_at: number
  readonly refresh_token?: string
  readonly owner_id?: string
  readonly owner_type?: string
}

export interface MetricsError {
  readonly error: {
    readonly title: string
    readonly code: string
    readonly status: number
    readonly meta?: {
      readonly errors?: readonly Readonly<Record<string, unknown>>[]
      readonly trace_id?: string
    }
  }
}

export interface MetricsMeta {
  readonly type: string
  readonly trace_id: string
  readonly mode: string
  readonly organization_id: string
  readonly market_ids: readonly string[]
}

export interface StatsValue {
  readonly count: number
  readonly min: number
  readonly max: number
  readonly avg: number
  readonly sum: number
}

export interface Bucket {
  readonly label: string
  readonly value: number | StatsValue
}

export interface BreakdownAnswer {
  readonly data: Readonly<Record<string, readonly Bucket[]>>
  readonly meta: MetricsMeta
}

export interface FbtAnswer {
  readonly data: readonly {
    readonly item_id: string
    readonly value: number
    readonly type: string
    readonly name?: string
  }[]
  readonly meta: MetricsMeta
}

export interface DateBreakdownAnswer {
  readonly data: readonly { readonly date: string; readonly value: number | StatsValue }[]
  readonly meta: MetricsMeta
}

export interface StatsAnswer {
  readonly data: { readonly value: number | StatsValue | null }
  readonly meta: MetricsMeta
}

export interface SearchAnswer {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly meta: MetricsMeta & {
    readonly pagination: { readonly record_count: number; readonly cursor: string | null }
  }
}

export interface Claims {
  readonly organization: { readonly id: string; readonly slug: string }
  readonly application: {
    readonly id: string
    readonly client_id: string
    readonly kind: string
    readonly public: boolean
    readonly confidential: boolean
  }
  readonly market?: { readonly id: readonly string[]; readonly stock_location_ids: readonly string[] }
  readonly store?: { readonly id: string }
  readonly stock_location?: { readonly id: string }
  readonly owner?: { readonly id: string; readonly type: string }
  readonly role?: { readonly id: string; readonly kind: string }
  readonly scope: string
  readonly exp: number
  readonly iat: number
  readonly test: boolean
  readonly iss: string
  readonly jti: string
}

/** Claims of a token, read without verifying it. */
export const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Claims
