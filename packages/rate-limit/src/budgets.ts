/** The request budgets of every class, as data. Sources: contract.md "Limits", core-conventions.md section 10. */
import type { Mode } from '@merx/access-token/caller'

/** At most `points` requests in any `seconds` on end. */
export interface Window {
  readonly points: number
  readonly seconds: number
}

/** How many requests are allowed; both windows hold. */
export interface Budget {
  /** Over all endpoints of the class together. */
  readonly average: Window
  /** For each endpoint by itself. */
  readonly burst?: Window
}

/** Each class of requests has a budget of its own. */
export const budgetClasses = [
  'token',
  'revocation',
  'authorization',
  'token_information',
  'provisioning',
  'metrics',
  'write',
  'read_cacheable',
  'read_uncacheable',
  'unauthorized',
] as const
/** One of `budgetClasses`. */
export type BudgetClass = (typeof budgetClasses)[number]

const MINUTE = 60
const BURST_SECONDS = 10

const budget = (average: number, burst: number): Budget => ({
  average: { points: average, seconds: MINUTE },
  burst: { points: burst, seconds: BURST_SECONDS },
})

const token: Budget = { average: { points: 30, seconds: MINUTE } }

/** Pages of /oauth/authorize: a person needs four to sign in and consent, an office shares one address. */
const authorization: Budget = { average: { points: 120, seconds: MINUTE } }

/** Introspection and tokeninfo: services and dashboards send one request per page they show. */
const tokenInformation: Budget = { average: { points: 300, seconds: MINUTE } }

/** The one table of limits: see the header for sources. */
export const budgets: Readonly<Record<BudgetClass, Readonly<Record<Mode, Budget>>>> = {
  token: { test: token, live: token },
  // Counted apart: signing out must not use up the budget for signing in.
  revocation: { test: token, live: token },
  authorization: { test: authorization, live: authorization },
  token_information: { test: tokenInformation, live: tokenInformation },
  // People at a dashboard, or a script that sets an organization up; passwords are hashed here.
  provisioning: { test: budget(120, 40), live: budget(120, 40) },
  metrics: { test: budget(100, 25), live: budget(200, 50) },
  write: { test: budget(100, 25), live: budget(200, 50) },
  read_cacheable: { test: budget(500, 125), live: budget(1000, 250) },
  read_uncacheable: { test: budget(100, 25), live: budget(200, 50) },
  // Requests without a valid token, whose mode is not known: the smaller of the two budgets of a read.
  unauthorized: { test: budget(100, 25), live: budget(100, 25) },
}

const QUARTER_HOUR = 900

/** Tries to sign in as a user at /oauth/authorize, right or wrong: an account, whoever tries; an address, whomever it tries. */
export const signInWindows = {
  account: { points: 10, seconds: QUARTER_HOUR },
  address: { points: 40, seconds: QUARTER_HOUR },
} as const satisfies Readonly<Record<string, Window>>

/**
 * Wrong guesses that are answered; right ones are not counted. Per account or client only from one address, or from all
 * that never got in: nobody can shut out somebody elsewhere.
 */
export const guessWindows = {
  /** Passwords of customers, at the token endpoint. */
  passwordFromAddress: { points: 10, seconds: QUARTER_HOUR },
  passwordFromStrangers: { points: 100, seconds: QUARTER_HOUR },
  passwordsOfAddress: { points: 100, seconds: QUARTER_HOUR },
  /** Secrets of clients, wherever they authenticate. */
  secretFromAddress: { points: 30, seconds: QUARTER_HOUR },
  secretsOfAddress: { points: 100, seconds: QUARTER_HOUR },
} as const satisfies Readonly<Record<string, Window>>

/**
 * A window with all its points multiplied, for load tests (RATE_LIMIT_SCALE); never below one point.
 * @throws RangeError unless 0 < scale ≤ 1,000,000
 */
export const scaleWindow = ({ points, seconds }: Window, scale: number): Window => {
  if (!(scale > 0 && scale <= 1_000_000)) {
    throw new RangeError(`the rate limit scale is above 0 and at most 1000000, not ${scale}`)
  }
  return { points: Math.max(1, Math.round(points * scale)), seconds }
}
