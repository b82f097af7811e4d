/** The pages of products that are seen, read once scrolling has paused; those that were read before are there at once. */
import { useQueries } from '@tanstack/react-query'
import { useSettled } from '../parts/use-settled.ts'
import { PAGE_SIZE, readProducts, type Product, type ProductQuestion } from './read-products.ts'

const PAUSE_MS = 80
const STALE_MS = 30_000
const KEPT_MS = 120_000

export interface ProductPages {
  readonly productAt: (row: number) => Product | undefined
  readonly error: Error | null
  readonly readAgain: () => void
}

/** @param first @param last rows that are seen */
export const useProductPages = (question: ProductQuestion, first: number, last: number): ProductPages => {
  const from = Math.floor(first / PAGE_SIZE)
  const to = Math.floor(last / PAGE_SIZE)
  const seen = `${from} ${to}`
  const isPaused = useSettled(seen, PAUSE_MS) === seen
  const results = useQueries({
    queries: Array.from({ length: Math.max(to - from + 1, 0) }, (_, at) => ({
      queryKey: ['products', question, from + at],
      queryFn: () => readProducts(question, from + at),
      enabled: isPaused,
      staleTime: STALE_MS,
      gcTime: KEPT_MS,
    })),
  })
  return {
    productAt: (row) => results[Math.floor(row / PAGE_SIZE) - from]?.data?.products[row % PAGE_SIZE],
    error: results.find(({ error }) => error !== null)?.error ?? null,
    readAgain: () => {
      for (const { error, refetch } of results) if (error !== null) void refetch()
    },
  }
}
