/** How far model-based tests go, from the environment: MERX_MODEL_SEQUENCES and MERX_MODEL_SEED. */

/**
 * What is drawn, a number under 2³¹: MERX_MODEL_SEED, which `.ci/run` takes from the tree that it tests, so that the same tree
 * is tested by the same sequences anywhere; otherwise another one at each run. It is printed, so that a run can be had again.
 */
export const modelSeed = (): number => {
  const seed = Number(process.env['MERX_MODEL_SEED'] ?? Date.now() % 2 ** 31)
  process.stderr.write(`MERX_MODEL_SEED=${seed}\n`)
  return seed
}

/** How many sequences: MERX_MODEL_SEQUENCES, or `few` by hand and `many` in CI. */
export const modelSequences = (few: number, many: number): number =>
  Number(process.env['MERX_MODEL_SEQUENCES'] ?? (process.env['CI'] === undefined ? few : many))
