/**
 * Divides an amount in proportion to weights, in whole cents that add up exactly: each share is rounded down, then the
 * cents left over go to the largest remainders, the earlier one first. Integers, zero or more; an amount above the sum
 * of the weights, or no weight at all, is shared out as far as the rule carries.
 */
export const shareOut = (amountCents: number, weights: readonly number[]): readonly number[] => {
  const sum = weights.reduce((total, weight) => total + BigInt(weight), 0n)
  if (sum === 0n) return weights.map(() => 0)
  const exact = weights.map((weight) => BigInt(amountCents) * BigInt(weight))
  const shares = exact.map((product) => Number(product / sum))
  let left = amountCents - shares.reduce((total, share) => total + share, 0)
  const byRemainder = exact
    .map((product, index) => ({ index, remainder: product % sum }))
    .sort((a, b) => Number(b.remainder - a.remainder))
  for (const { index } of byRemainder) {
    if (left === 0) break
    shares[index] = (shares[index] ?? 0) + 1
    left -= 1
  }
  return shares
}
