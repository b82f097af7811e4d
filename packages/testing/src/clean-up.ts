/** Closes what a test opened, also when the test fails. */

/**
 * Called once at the top of a test file; the function it returns takes what has to be done after the present test,
 * last in first out. All of it runs even when one part fails.
 *
 * @example const afterwards = cleanUpAfterEach(); … afterwards(() => server.stop())
 */
export const cleanUpAfterEach = (): ((act: () => unknown) => void) => {
  const acts: (() => unknown)[] = []
  afterEach(async () => {
    const failures: unknown[] = []
    for (const act of acts.splice(0).reverse()) {
      try {
        await act()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'cleaning up after a test failed')
  })
  return (act) => {
    acts.push(act)
  }
}
