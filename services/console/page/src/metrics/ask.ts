/** Asks metrics a question: its answer, the one about the period before, the pages of a search. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { askMetrics, queryMetrics } from '../data/api.ts'
import { readCurrencies } from '../home/sales.ts'
import { limits } from './catalogue.ts'
import { periodBefore, periodOf } from './period.ts'
import type { Question } from './question.ts'
import { toRequest, type MetricsRequest } from './request.ts'
import { toRows, type Answer, type Row } from './result.ts'

const SELDOM_MS = 600_000

/** Those of the last days, the most used first. What was refused is not asked again by the next part that wants to know. */
export const useCurrencies = () =>
  useQuery({
    queryKey: ['currencies'],
    queryFn: () => readCurrencies(new Date()),
    staleTime: SELDOM_MS,
    retry: false,
    retryOnMount: false,
  })

/** As many groups as there can be, so that those of now are found among them. */
const beforeOf = (question: Question, now: Date): MetricsRequest =>
  toRequest({ ...question, split: '', limit: limits.bucketsMax }, now, periodBefore(periodOf(question, now)))

const readRows = async (question: Question, now: Date, signal: AbortSignal): Promise<readonly Row[]> => {
  const ask = ({ path, body }: MetricsRequest) => queryMetrics<Answer>(path, body, signal)
  const [answer, before] = await Promise.all([
    ask(toRequest(question, now)),
    question.compare ? ask(beforeOf(question, now)) : undefined,
  ])
  return toRows(question, now, answer, before)
}

/** How it is shown changes nothing of what is asked. */
const keyOf = (question: Question, now: Date) =>
  ['metrics', question.kind, JSON.stringify({ ...question, view: undefined }), now.getTime()] as const

/** Rows of a question that is no search. Giving up ends the query, in the engine too. */
export const useRows = (question: Question, now: Date, isEnabled = true) =>
  useQuery({
    queryKey: keyOf(question, now),
    queryFn: ({ signal }) => readRows(question, now, signal),
    enabled: isEnabled,
    staleTime: SELDOM_MS,
  })

export type FoundRecord = Readonly<Record<string, unknown>> & { readonly id: string }

interface SearchPage {
  readonly data: readonly FoundRecord[]
  readonly meta: { readonly pagination: { readonly record_count: number; readonly cursor: string | null } }
}

const readPage = (
  question: Question,
  now: Date,
  cursor: string | null,
  signal: AbortSignal,
): Promise<SearchPage> => {
  const { path, body } = toRequest(question, now)
  const { search, filter } = body as { readonly search: object; readonly filter: object }
  return askMetrics<SearchPage>(path, { search: { ...search, cursor }, filter }, signal)
}

export const useRecords = (question: Question, now: Date, isEnabled = true) =>
  useInfiniteQuery({
    queryKey: keyOf(question, now),
    queryFn: ({ pageParam, signal }) => readPage(question, now, pageParam, signal),
    enabled: isEnabled,
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.pagination.cursor,
    staleTime: SELDOM_MS,
  })

/** What an attribute holds in the records of the last year, for whoever types a filter; the most frequent first. */
export const useKnownValues = (question: Question, attribute: string, isEnabled: boolean) => {
  const { of } = question
  return useQuery({
    queryKey: ['metrics-values', of, attribute],
    queryFn: async ({ signal }) => {
      const asked = {
        ...question,
        kind: 'breakdown',
        by: attribute,
        split: '',
        filters: [],
        days: 365,
      } as const
      const { path, body } = toRequest(asked, new Date())
      const answer = await queryMetrics<Readonly<Record<string, readonly { readonly label: string }[]>>>(
        path,
        body,
        signal,
      )
      return (answer[attribute] ?? []).map(({ label }) => label)
    },
    enabled: isEnabled,
    staleTime: SELDOM_MS,
  })
}
