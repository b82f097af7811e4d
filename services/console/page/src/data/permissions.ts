/** What the role of the user may do: nothing that would be refused is offered. */
import { useQuery } from '@tanstack/react-query'
import { readTokenInformation } from './api.ts'

export type Action = 'create' | 'read' | 'update' | 'destroy'

/** Who the user is and what they may do; once a minute for all that ask. */
export const useTokenInformation = () =>
  useQuery({ queryKey: ['token'], queryFn: readTokenInformation, staleTime: 60_000 })

/** Answers no until the token information is there. */
export const useMay = (): ((action: Action, type: string) => boolean) => {
  const { data } = useTokenInformation()
  return (action, type) => data?.permissions?.[type]?.actions.includes(action) === true
}
