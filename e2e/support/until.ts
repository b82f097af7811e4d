/** Running services hear of a change within a second; a slow machine gets ten. */
export const until = async (isTrue: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + 10_000
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error('it has not come true within ten seconds')
    await new Promise((done) => setTimeout(done, 50))
  }
}
