/** The questions that the user keeps on the dashboard, read from the addresses that they are kept as. */
import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useSaveAddress, useSavedAddresses } from '../data/saved.ts'
import { readQuestion, toRaw, type Question } from './question.ts'

export interface SavedQuestion {
  readonly id: string
  readonly name: string
  readonly question: Question
}

/** The query of its address. */
export const toText = (question: Question): string =>
  defaultStringifySearch(toRaw(question)).replace(/^\?/, '')

export const fromText = (text: string): Question => readQuestion(defaultParseSearch(`?${text}`))

export const useSavedQuestions = () => {
  const { data, error } = useSavedAddresses('metrics')
  const saved = useMemo(
    () => data?.map(({ id, name, query }): SavedQuestion => ({ id, name, question: fromText(query) })),
    [data],
  )
  return { data: saved, error }
}

export const useSave = (question: Question, done: () => void) =>
  useSaveAddress('metrics', toText(question), done)
