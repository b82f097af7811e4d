/** Lists of provisioning, and writes after which they are read again. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { listAll, type ProvisionedType } from './provisioning.ts'

export const useAll = <Type extends ProvisionedType>(
  type: Type,
  query: Readonly<Record<string, string>> = {},
) => useQuery({ queryKey: ['provisioning', type, query], queryFn: () => listAll(type, query) })

/** @param done once it is written, with what the answer held */
export const useWrite = <Values, Written>(
  write: (values: Values) => Promise<Written>,
  done: (written: Written) => void = () => undefined,
) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: async (written) => {
      await queries.invalidateQueries({ queryKey: ['provisioning'] })
      done(written)
    },
  })
}
