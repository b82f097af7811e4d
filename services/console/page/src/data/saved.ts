/** What the user keeps of a screen, in auth (docs/adr/0121): names and queries of addresses, for this mode, on every machine. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { askProvisioning } from './api.ts'

const TYPE = 'saved_questions'

export type SavedScreen = 'metrics' | 'orders'

interface SavedResource {
  readonly id: string
  readonly attributes: { readonly screen: SavedScreen; readonly name: string; readonly question: string }
}

export interface SavedAddress {
  readonly id: string
  readonly name: string
  /** The query of an address of the screen. */
  readonly query: string
}

const readAll = async (): Promise<readonly SavedResource[]> =>
  (await askProvisioning<{ readonly data: readonly SavedResource[] }>(TYPE)).data

/** Those of one screen, the oldest first; all screens share one answer. */
export const useSavedAddresses = (screen: SavedScreen) =>
  useQuery({
    queryKey: [TYPE],
    queryFn: readAll,
    staleTime: 60_000,
    select: (all): readonly SavedAddress[] =>
      all
        .filter(({ attributes }) => attributes.screen === screen)
        .map(({ id, attributes: { name, question } }) => ({ id, name, query: question })),
  })

/** Writes, then the list is read again. */
const useWrite = <Values>(write: (values: Values) => Promise<unknown>, done?: () => void) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [TYPE] })
      done?.()
    },
  })
}

/** Keeps an address under the name that is given to `mutate`. */
export const useSaveAddress = (screen: SavedScreen, query: string, done: () => void) =>
  useWrite(
    (name: string) =>
      askProvisioning(TYPE, {
        method: 'POST',
        body: { data: { type: TYPE, attributes: { screen, name, question: query } } },
      }),
    done,
  )

export const useRename = (id: string, done: () => void) =>
  useWrite(
    (name: string) =>
      askProvisioning(`${TYPE}/${id}`, {
        method: 'PATCH',
        body: { data: { type: TYPE, id, attributes: { name } } },
      }),
    done,
  )

export const useRemove = (id: string) =>
  useWrite(() => askProvisioning(`${TYPE}/${id}`, { method: 'DELETE' }))
