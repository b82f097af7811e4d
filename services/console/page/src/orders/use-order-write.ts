/** Writes to an order or its parts, then reads everything again whatever came of it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'

export const useOrderWrite = (onDone?: () => void) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (write: () => Promise<unknown>) => write(),
    onSuccess: () => onDone?.(),
    onSettled: () => queries.invalidateQueries(),
  })
}
