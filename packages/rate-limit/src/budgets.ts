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
const HOUR = 3_600
const DAY = 86_400

/**
 * Wrong passwords, of customers and of users; right ones are not counted (docs/adr/0017-guessing.md). The wait of an
 * account at one address grows with the number of wrong passwords.
 */
export const passwordWindows = {
  /** One account at one address. */
  pair: { points: 10, seconds: QUARTER_HOUR },
  pairHour: { points: 20, seconds: HOUR },
  pairDay: { points: 40, seconds: DAY },
  /** One account in an IPv6 /48, which one subscriber may have. */
  network: { points: 100, seconds: QUARTER_HOUR },
  /** One account at all addresses where it never signed in. Beyond it the next two windows hold for each address. */
  otherCallers: { points: 100, seconds: QUARTER_HOUR },
  pairUnderAttack: { points: 2, seconds: QUARTER_HOUR },
  pairUnderAttackDay: { points: 4, seconds: DAY },
  /** All accounts at one address. */
  customersOfAddress: { points: 100, seconds: QUARTER_HOUR },
  usersOfAddress: { points: 40, seconds: QUARTER_HOUR },
  /** Beyond it an address shares one hashing thread with other guessers. */
  guesser: { points: 2, seconds: QUARTER_HOUR },
} as const satisfies Readonly<Record<string, Window>>

/** Wrong secrets of clients. Nothing is counted by client alone, so nobody can shut a client out elsewhere. */
export const secretWindows = {
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
