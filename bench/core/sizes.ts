/** Numbers of SKUs: `MERX_BENCH_SKUS=1000,100000 npm run bench -- core` takes other ones. */
export const sizesOf = (fallback: readonly number[]): readonly number[] => {
  const given = process.env['MERX_BENCH_SKUS']
  if (given === undefined || given === '') return fallback
  const sizes = given.split(',').map(Number)
  if (sizes.every((size) => Number.isInteger(size) && size >= 1_000)) return sizes
  throw new Error(`MERX_BENCH_SKUS is a list of whole numbers from 1000, such as 1000,100000; got "${given}"`)
}
