import { oneOf, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { NAME_MAX } from '../input-rules.ts'

/** What an address of the console may hold; whether it can still be asked, the console says. */
const QUESTION_MAX = 2_000

/** Screens of the console whose addresses can be kept. */
const SCREENS = ['metrics', 'orders']

/** One page of a list holds all of them, whatever their screen. */
export const SAVED_QUESTIONS_MAX = 25

export const savedQuestions = defineResource('saved_questions', {
  summary: `A question that a user keeps, to metrics on their dashboard or as a view of the console's list of orders: at most ${SAVED_QUESTIONS_MAX} in each of test and live, seen by nobody else.`,
  model: 'savedQuestion',
  operations: ['list', 'create', 'update', 'delete'],
  scope: 'organization',
  attributes: {
    screen: oneOf(SCREENS, { write: 'create', required: true, default: 'metrics' }),
    name: text({ write: 'always', required: true, max: NAME_MAX }),
    question: text({ write: 'always', required: true, max: QUESTION_MAX }),
  },
})
