/** Callers of one turn of the event loop that ask the same share one act, each with an answer of its own. */

export interface SharedTurns<Input, Answer> {
  /**
   * Joins those that gave the same key in this turn. The act begins after all of them asked, never before.
   * @param input the same for everybody with this key
   * @throws what the act throws
   */
  join(key: string, input: Input): Promise<Answer>
}

interface Turn<Input, Answer> {
  readonly input: Input
  readonly waiting: PromiseWithResolvers<Answer>[]
}

/**
 * @param countMax callers that share one act at most; more are split
 * @param act gives one answer for each of `count` callers, in the order they came
 * @example const turns = createSharedTurns(500, (args, count) => countRequests(args, count))
 */
export const createSharedTurns = <Input, Answer>(
  countMax: number,
  act: (input: Input, count: number) => Promise<readonly Answer[]>,
): SharedTurns<Input, Answer> => {
  let turns = new Map<string, Turn<Input, Answer>>()

  const run = async ({ input, waiting }: Turn<Input, Answer>): Promise<void> => {
    try {
      const answers = await act(input, waiting.length)
      if (answers.length !== waiting.length)
        throw new Error(`${answers.length} answers for ${waiting.length} callers`)
      for (const [index, answer] of answers.entries()) waiting[index]?.resolve(answer)
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  const end = (): void => {
    const ended = turns
    turns = new Map()
    for (const turn of ended.values()) void run(turn)
  }

  return {
    join: (key, input) => {
      if (turns.size === 0) setImmediate(end)
      const caller = Promise.withResolvers<Answer>()
      const turn = turns.get(key)
      if (turn === undefined) turns.set(key, { input, waiting: [caller] })
      else if (turn.waiting.push(caller) === countMax) {
        turns.delete(key)
        void run(turn)
      }
      return caller.promise
    },
  }
}
