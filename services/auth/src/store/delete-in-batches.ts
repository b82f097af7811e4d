/** Deletes many rows in statements that each hold their locks for a fraction of a second. */

const ROWS_A_STATEMENT = 10_000
/** So that one call ends; the rest waits for the next one. */
const STATEMENTS_MAX = 200

/**
 * @param remove deletes at most so many rows and returns how many
 * @returns how many rows went
 */
export const deleteInBatches = async (remove: (rowsMax: number) => Promise<number>): Promise<number> => {
  let removed = 0
  for (let statements = 0; statements < STATEMENTS_MAX; statements += 1) {
    const count = await remove(ROWS_A_STATEMENT)
    removed += count
    if (count < ROWS_A_STATEMENT) break
  }
  return removed
}
