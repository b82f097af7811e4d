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
  { file: 'tax-order.ts', mutant: `'' →`, why: 'the same: no type of calculators either' },
  { file: 'taxed-line.ts', mutant: `'' →`, why: 'no order is without a currency' },
]

export const reasonOf = (file: string, mutant: string): string | undefined =>
  REASONS.find((each) => file.endsWith(each.file) && mutant.startsWith(each.mutant))?.why
