/** Weights in one unit. */
const GRAMS: Readonly<Record<string, number>> = { gr: 1, oz: 28.349523125, lb: 453.59237 }

/** Weights without a unit are in grams. */
export const toGrams = (weight: number, unit: unknown): number => weight * (GRAMS[String(unit)] ?? 1)

export const fromGrams = (grams: number, unit: unknown): number => grams / (GRAMS[String(unit)] ?? 1)

const FACTORS = Object.entries(GRAMS).map(([unit, factor]) => `WHEN '${unit}' THEN ${factor}`)

/** SQL of what one unit of a SKU weighs; `alias` is a row of skus. */
export const gramsOf = (alias: string): string =>
  `coalesce(${alias}.weight, 0) * CASE ${alias}.unit_of_weight ${FACTORS.join(' ')} ELSE 1 END`
