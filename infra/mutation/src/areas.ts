/** What is mutated, by area, and the unit tests that must notice it: `npm run mutate -- <area>`. */

/** Stryker runs once for each part: the fewer tests a part has, the faster its mutants are. Paths are globs from the root. */
export interface Part {
  /** Tests, and what Stryker is told to ignore, are left out. */
  readonly files: readonly string[]
  readonly tests: readonly string[]
}

export interface Area {
  readonly name: string
  /** What is at stake. */
  readonly about: string
  readonly parts: readonly Part[]
}

const CORE = 'services/core/src'
const AUTH = 'services/auth/src'
const TOKEN = 'packages/access-token/src'

/** Files with a test of the same name next to each. */
const tested = (folder: string, ...names: readonly string[]): readonly Part[] =>
  names.map((name) => ({ files: [`${folder}/${name}.ts`], tests: [`${folder}/${name}.test.ts`] }))

export const AREAS: readonly Area[] = [
  {
    name: 'totals',
    about: 'amounts of orders and lines',
    parts: [
      {
        files: [`${CORE}/orders/totals/{order-totals,order-amounts}.ts`, `${CORE}/promotions/allocate.ts`],
        tests: [`${CORE}/orders/totals/{order-totals,order-amounts}.test.ts`],
      },
    ],
  },
  {
    name: 'promotions',
    about: 'what promotions take off, and whether their rules are met',
    parts: [
      ...tested(`${CORE}/promotions`, 'weight', 'promotion-status'),
      {
        files: [
          `${CORE}/promotions/{discount-order,discounted-order}.ts`,
          `${CORE}/promotions/types/*.ts`,
          `${CORE}/promotions/rules/*.ts`,
        ],
        tests: [`${CORE}/promotions/{discount-order,discounted-order,types/kinds,types/rules}.test.ts`],
      },
      ...tested(`${CORE}/promotions`, 'discount-lines'),
      ...tested(`${CORE}/rules-engine`, 'dynamic-values', 'outcome-view', 'asked-tree'),
      {
        files: [`${CORE}/rules-engine/{ask-rules,conditions,select-lines}.ts`],
        tests: [`${CORE}/rules-engine/{ask-rules,conditions}.test.ts`],
      },
      ...tested(`${CORE}/rules-engine`, 'matchers', 'facts'),
    ],
  },
  {
    name: 'taxes',
    about: 'rates of orders and lines',
    parts: [
      ...tested(`${CORE}/taxes`, 'manual', 'taxed-line'),
      {
        files: [`${CORE}/taxes/{calculator,tax-order}.ts`, `${CORE}/orders/totals/order-taxes.ts`],
        tests: [`${CORE}/taxes/tax-order.test.ts`, `${CORE}/orders/totals/order-taxes.test.ts`],
      },
      ...tested(`${CORE}/definitions`, 'address-patterns'),
    ],
  },
  {
    name: 'availability',
    about: 'what is in stock, where, and how an order gets it',
    parts: [
      {
        files: [`${CORE}/inventory/{availability,counted-locations}.ts`],
        tests: [`${CORE}/inventory/availability.test.ts`],
      },
      ...tested(`${CORE}/inventory`, 'out-of-stock'),
      {
        files: [`${CORE}/orders/stock/{plan-stock,stock-places}.ts`],
        tests: [`${CORE}/orders/stock/plan-stock.test.ts`],
      },
      ...tested(`${CORE}/orders/stock`, 'out-of-stock'),
      {
        files: [`${CORE}/shipping/strategies/*.ts`],
        tests: [`${CORE}/shipping/strategies/strategies.test.ts`],
      },
    ],
  },
  {
    name: 'states',
    about: 'state machines and their tables',
    parts: [
      {
        files: [`${CORE}/states/{define-state-machine,transition}.ts`],
        tests: [`${CORE}/states/transition.test.ts`],
      },
      ...tested(`${CORE}/states`, 'transition-command'),
      ...tested(`${CORE}/orders`, 'order-states', 'fulfillment-states'),
      ...tested(CORE, 'payments/payment-states', 'shipping/shipment-states', 'returns/return-states'),
      ...tested(CORE, 'gift-cards/gift-card-states', 'bulk/job-states'),
      {
        files: [`${CORE}/inventory/*-states.ts`],
        tests: [`${CORE}/inventory/stock-transfer-states.test.ts`],
      },
      {
        files: [`${CORE}/subscriptions/*-states.ts`],
        tests: [`${CORE}/subscriptions/subscription-states.test.ts`],
      },
    ],
  },
  {
    name: 'scope',
    about: 'what a token of a market, store or stock location, a role or a sales channel may see',
    parts: [
      ...tested(AUTH, 'scopes/scope-rules', 'grants/narrow-scope'),
      ...tested(TOKEN, 'parse-scope', 'sales-channel-grants'),
      {
        files: [`${CORE}/markets/scope/{build-scope,scope-references}.ts`],
        tests: [`${CORE}/markets/scope/build-scope.test.ts`],
      },
      ...tested(`${CORE}/access`, 'assert-readable', 'restrictions'),
      {
        files: [`${CORE}/access/{permissions,caller-kinds}.ts`],
        tests: [`${CORE}/access/permissions.test.ts`],
      },
    ],
  },
  {
    name: 'tokens',
    about: 'which tokens are issued, reused, refreshed and revoked, and to whom',
    parts: [
      { files: [`${AUTH}/tokens/{claims,reuse-key}.ts`], tests: [`${AUTH}/tokens/claims.test.ts`] },
      ...tested(`${AUTH}/tokens`, 'encode-payload', 'revocation-list', 'refresh-tokens'),
      {
        files: [`${AUTH}/tokens/{reusable-tokens,token-slots}.ts`],
        tests: [`${AUTH}/tokens/reusable-tokens.test.ts`],
      },
      ...tested(`${AUTH}/clients`, 'client-authentication', 'lifetimes'),
      ...tested(`${AUTH}/grants`, 'authorization-codes', 'require-grant', 'token-parameters'),
      ...tested(`${AUTH}/tokens`, 'access-token'),
    ],
  },
  {
    name: 'verification',
    about: 'which tokens and assertions are accepted, and what they say',
    parts: [
      ...tested(TOKEN, 'caller', 'compact-form', 'verified-tokens'),
      ...tested(`${AUTH}/grants`, 'assertion'),
      { files: [`${TOKEN}/{verifier,claims}.ts`], tests: [`${TOKEN}/{verifier,claims}.test.ts`] },
    ],
  },
]
