/** The questions that users keep: each statement names the user and the mode. */
import type { Mode } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import { noteColumns, type Notes } from '../provisioning/notes.ts'
import { SAVED_QUESTIONS_MAX } from '../provisioning/resources/saved-questions.ts'
import type { SavedQuestion } from './generated/client.ts'
import type { Database } from './prisma-client.ts'
import { fromPublicId, requireRowId } from './public-ids.ts'

/** Whose questions they are. */
export interface Keeper {
  readonly userId: string
  readonly mode: Mode
}

export interface SavedQuestionValues extends Notes {
  readonly name?: string
  readonly question?: string
}

export interface SavedQuestionStore {
  /** The oldest first. */
  list(keeper: Keeper): Promise<readonly SavedQuestion[]>
  /** @throws AppError validation_error when there are as many as there may be */
  create(
    keeper: Keeper,
    values: SavedQuestionValues & { screen: string; name: string; question: string },
  ): Promise<SavedQuestion>
  /** Undefined when the user has none with this id. */
  update(keeper: Keeper, id: string, values: SavedQuestionValues): Promise<SavedQuestion | undefined>
  /** Whether there was one. */
  remove(keeper: Keeper, id: string): Promise<boolean>
}

const whose = ({ userId, mode }: Keeper) => ({ userId: requireRowId('users', userId), mode })

/** Of a text that is no id nothing is found: rows begin at 1. */
const rowIdOf = (id: string): bigint => fromPublicId('saved_questions', id) ?? 0n

const tooMany = (): AppError =>
  new AppError('validation_error', {
    title: `at most ${SAVED_QUESTIONS_MAX} can be saved`,
    detail: `at most ${SAVED_QUESTIONS_MAX} questions can be saved; delete one first`,
    source: { pointer: '/data' },
  })

export const createSavedQuestionStore = (database: Database, clock: Clock): SavedQuestionStore => ({
  list: (keeper) => database.savedQuestion.findMany({ where: whose(keeper), orderBy: { id: 'asc' } }),

  create: (keeper, { screen, name, question, ...notes }) =>
    database.$transaction(async (transaction) => {
      const own = whose(keeper)
      // Two at once would both be the last that fits.
      await transaction.$executeRaw`SELECT 1 FROM users WHERE id = ${own.userId} FOR NO KEY UPDATE`
      if ((await transaction.savedQuestion.count({ where: own })) >= SAVED_QUESTIONS_MAX) throw tooMany()
      const [createdAt, updatedAt] = [clock.now(), clock.now()]
      return transaction.savedQuestion.create({
        data: { ...own, screen, name, question, createdAt, updatedAt, ...noteColumns(notes) },
      })
    }),

  update: async (keeper, id, { name, question, ...notes }) => {
    const [updated] = await database.savedQuestion.updateManyAndReturn({
      where: { id: rowIdOf(id), ...whose(keeper) },
      data: {
        ...(name === undefined ? {} : { name }),
        ...(question === undefined ? {} : { question }),
        ...noteColumns(notes),
        updatedAt: clock.now(),
      },
    })
    return updated
  },

  remove: async (keeper, id) => {
    const { count } = await database.savedQuestion.deleteMany({
      where: { id: rowIdOf(id), ...whose(keeper) },
    })
    return count > 0
  },
})
