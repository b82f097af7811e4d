/** Survivors that somebody looked at, and why no test can or need kill them. What is not here is open. */

export interface Reason {
  /** The end of the path. */
  readonly file: string
  /** As the page shows it; a mutant that begins with it. */
  readonly mutant: string
  readonly why: string
}

export const REASONS: readonly Reason[] = [
  {
    file: 'order-amounts.ts',
    mutant: 'default: return undefined → default:',
    why: 'the same: the end of a function gives undefined',
  },
  { file: 'order-totals.ts', mutant: 'dividend < 0n → dividend <= 0n', why: 'the same: zero has no sign' },
  { file: 'order-totals.ts', mutant: '2n * sign → 2n / sign', why: 'the same: the sign is 1 or -1' },
  {
    file: 'order-totals.ts',
    mutant: 'totalCents < 0 → totalCents <= 0',
    why: 'the same: an adjustment of nothing takes nothing',
  },
  {
    file: 'states/transition.ts',
    mutant: 'first === undefined → false',
    why: 'the same: what is started has a transition; for the compiler',
  },
  {
    file: 'states/transition.ts',
    mutant: '[] → ["Stryker was here"]',
    why: 'the same: a text has nothing to set or write',
  },
  { file: 'narrow-scope.ts', mutant: `type === 'market' → true`, why: 'a scope has one store at most' },
  {
    file: 'parse-scope.ts',
    mutant: 'type === undefined → false',
    why: 'the same: that is no type either; for the compiler',
  },
  { file: 'inventory/availability.ts', mutant: 'export const availabilityColumns', why: 'SQL' },
  { file: 'stock-places.ts', mutant: '', why: 'around SQL' },
  {
    file: 'plan-stock.ts',
    mutant: 'item !== null → true',
    why: 'the same: what comes from nowhere is looked up nowhere',
  },
  { file: 'strategies/plan.ts', mutant: '[] →', why: 'no group is empty; for the compiler' },
  {
    file: 'strategies/plan.ts',
    mutant: 'first === undefined → false',
    why: 'no group is empty; for the compiler',
  },
  {
    file: 'ship-from-primary.ts',
    mutant: 'primary === undefined → false',
    why: 'the same: without places nothing is taken',
  },
  {
    file: 'take-units.ts',
    mutant: 'left.get(location)?.',
    why: 'every place is there; for the compiler',
  },
  { file: 'take-units.ts', mutant: 'isTracked → true', why: 'a SKU is tracked in all lines or in none' },
  {
    file: 'assert-readable.ts',
    mutant: 'readable.size === 0 → false',
    why: 'the same, only slower',
  },
  {
    file: 'assert-readable.ts',
    mutant: `typeof resource['type'] === 'string' → true`,
    why: 'the same: of no type nothing is listed',
  },
  { file: 'assert-readable.ts', mutant: `'' →`, why: 'the same: of no type nothing is listed' },
  { file: 'assert-readable.ts', mutant: 'names === undefined → false', why: 'the same: no names, no check' },
  { file: 'discount-lines.ts', mutant: 'roomOf(part, at) > 0', why: 'the same after more rounds' },
  {
    file: 'refresh-tokens.ts',
    mutant: 'usedAt !== undefined → true',
    why: 'the same: its caller asked that already',
  },
  {
    file: 'authorization-codes.ts',
    mutant: `'1' → ""`,
    why: 'the same: only that the entry is there counts',
  },
  {
    file: 'dynamic-values.ts',
    mutant: `'' →`,
    why: 'the same: expressions were checked when they were written',
  },
  {
    file: 'dynamic-values.ts',
    mutant: 'EXPRESSION.exec(value)?.',
    why: 'the same: expressions were checked when they were written',
  },
  { file: 'dynamic-values.ts', mutant: 'find(name)[0]?.', why: 'every path has a fact; for the compiler' },
  { file: 'dynamic-values.ts', mutant: '/^', why: 'the same: what is dynamic begins with braces' },
  { file: 'buy-x-pay-y.ts', mutant: `'' →`, why: 'the same: lines of no article are one group either way' },
  { file: 'free-gift.ts', mutant: `'' →`, why: 'the same: lines of no article are one group either way' },
  { file: 'free-gift.ts', mutant: 'first?.', why: 'no group is empty; for the compiler' },
  { file: 'free-gift.ts', mutant: 'listed?.', why: 'the list was found before; for the compiler' },
  { file: 'free-gift.ts', mutant: '-1 → +1', why: 'a line of a list has an article; for the compiler' },
  { file: 'free-gift.ts', mutant: 'list === null → false', why: 'the same: no list has no number' },
  { file: 'external.ts', mutant: '-1 → +1', why: 'a line that was named has a number; for the compiler' },
  {
    file: 'external.ts',
    mutant: 'number !== null → true',
    why: 'the same: no line is named without a number',
  },
  {
    file: 'sku-list.ts',
    mutant: 'order.lists.get(list)?.',
    why: 'the list was found before; for the compiler',
  },
  { file: 'rules-engine/conditions.ts', mutant: '[] → ["Stryker', why: 'the same: no object is a text' },
  {
    file: 'rules-engine/conditions.ts',
    mutant: 'values[0]?.chain → values[0].chain',
    why: 'no group is empty; for the compiler',
  },
  {
    file: 'rules-engine/conditions.ts',
    mutant: 'each !== undefined → true',
    why: 'the same: what is not there is found as null',
  },
  { file: 'rules-engine/facts.ts', mutant: '[] →', why: 'the same: no object is a text' },
  {
    file: 'rules-engine/matchers.ts',
    mutant: `typeof y === 'number' → true`,
    why: 'the same: a number less a text is no number',
  },
  {
    file: 'rules-engine/matchers.ts',
    mutant: `typeof other === 'string' → true`,
    why: 'the same: nothing but a text looks like a date',
  },
  {
    file: 'rules-engine/matchers.ts',
    mutant: 'fact !== null → true',
    why: 'the same: null counts as zero, which is refused',
  },
  {
    file: 'rules-engine/matchers.ts',
    mutant: 'step !== 0 → true',
    why: 'the same: nothing is left over of zero',
  },
  {
    file: 'outcome-view.ts',
    mutant: 'rule.id === undefined → false',
    why: 'the same: JSON leaves out what is undefined',
  },
  {
    file: 'outcome-view.ts',
    mutant: 'condition.group === undefined → false',
    why: 'the same: JSON leaves out what is undefined',
  },
  {
    file: 'select-lines.ts',
    mutant: '{ value: line, chain: [line] } → {}',
    why: 'the same: an amount over a whole order takes each object once',
  },
  {
    file: 'select-lines.ts',
    mutant: '[line] → []',
    why: 'the same: an amount over a whole order takes each object once',
  },
  {
    file: 'select-lines.ts',
    mutant: `selector === 'price' → false`,
    why: 'the same: the price is at the end of its path too',
  },
  {
    file: 'select-lines.ts',
    mutant: `'price' → ""`,
    why: 'the same: the price is at the end of its path too',
  },
  { file: 'select-lines.ts', mutant: `'balanced' → ""`, why: 'the same: what is not every is balanced' },
  {
    file: 'discount-lines.ts',
    mutant: '() => 0 → () => undefined',
    why: 'the same: what is not there counts as zero',
  },
  {
    file: 'order-states.ts',
    mutant: 'status === undefined → false',
    why: 'every status has a state; for the compiler',
  },
  {
    file: 'order-subscription-states.ts',
    mutant: 'retry === undefined → false',
    why: 'the same: without a time nothing is scheduled',
  },
  { file: 'sales-channel-grants.ts', mutant: '[] →', why: 'the same: a text grants nothing' },
  {
    file: 'sales-channel-grants.ts',
    mutant: 'read !== undefined → true',
    why: 'every row of the tables has a read; for the compiler',
  },
  {
    file: 'access/permissions.ts',
    mutant: 'permission.read !== undefined → true',
    why: 'every row of the tables has a read; for the compiler',
  },
  { file: 'assert-readable.ts', mutant: '[] →', why: 'the same: a text is of no type' },
  {
    file: 'access/restrictions.ts',
    mutant: 'caller.role === undefined → false',
    why: 'the same: what sales channels may is never broken',
  },
  { file: 'access/restrictions.ts', mutant: '[] →', why: 'the same: no type has that name' },
  {
    file: 'client-authentication.ts',
    mutant: `'body' →`,
    why: 'the same: only Basic is answered with a challenge',
  },
  { file: 'client-authentication.ts', mutant: `'' →`, why: "the same: it is nobody's secret either" },
  {
    file: 'tokens/access-token.ts',
    mutant: '{ return undefined',
    why: 'the same: the end of a function gives undefined',
  },
  { file: 'reuse-key.ts', mutant: 'inner !== null → true', why: 'no claim is null' },
  { file: 'reuse-key.ts', mutant: 'a < b →', why: 'the same: any one order will do' },
  { file: 'reuse-key.ts', mutant: `'base64url' →`, why: 'the same: a name is only compared' },
  { file: 'verified-tokens.ts', mutant: `'base64url' →`, why: 'the same: a digest is only compared' },
  {
    file: 'token-slots.ts',
    mutant: 'text === undefined → false',
    why: 'the same: that is no token either; for the compiler',
  },
  {
    file: 'token-slots.ts',
    mutant: 'slot !== key || winner === undefined → true',
    why: 'the same, with one more write',
  },
  {
    file: 'verifier.ts',
    mutant: 'verified.forget',
    why: 'the same: it is refused again, and drops out in time',
  },
  { file: 'verifier.ts', mutant: 'known === undefined → true', why: 'the same, with one more write' },
  {
    file: 'verifier.ts',
    mutant: 'kid === undefined → false',
    why: 'the same: that is no digest either; for the compiler',
  },
  {
    file: 'verifier.ts',
    mutant: 'revokedBefore !== undefined → true',
    why: 'the same: nothing is before undefined; for the compiler',
  },
  {
    file: 'assertion.ts',
    mutant: `typeof value !== 'number' → false`,
    why: 'the same: nothing else is finite; for the compiler',
  },
  {
    file: 'assertion.ts',
    mutant: 'expiresAt !== undefined → true',
    why: 'the same: undefined is neither before nor after; for the compiler',
  },
  {
    file: 'assertion.ts',
    mutant: 'issuedAt !== undefined → true',
    why: 'the same: undefined is neither before nor after; for the compiler',
  },
  {
    file: 'assertion.ts',
    mutant: 'from !== undefined → true',
    why: 'the same: undefined is neither before nor after; for the compiler',
  },
  {
    file: 'assertion.ts',
    mutant: 'header === undefined',
    why: 'the same: without a header there is no signature; for the compiler',
  },
  {
    file: 'assertion.ts',
    mutant: 'payload === undefined → false',
    why: 'the same: without a payload there is no signature; for the compiler',
  },
  { file: 'tax-order.ts', mutant: `'' →`, why: 'the same: no type of calculators either' },
  { file: 'taxed-line.ts', mutant: `'' →`, why: 'no order is without a currency' },
]

export const reasonOf = (file: string, mutant: string): string | undefined =>
  REASONS.find((each) => file.endsWith(each.file) && mutant.startsWith(each.mutant))?.why
