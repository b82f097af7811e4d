/** One import or export, asked about again while it runs. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isRunning, readJob, triggerJob, type JobType } from './jobs.ts'

const REFRESH_MS = 1_000

export const useJob = (type: JobType, id: string) => {
  const queries = useQueryClient()
  const { data: job, error } = useQuery({
    queryKey: ['job', type, id],
    queryFn: () => readJob(type, id),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isRunning(data) ? REFRESH_MS : false),
  })
  const trigger = useMutation({
    mutationFn: (name: '_interrupt' | '_start') => triggerJob(type, id, name),
    onSettled: () => queries.invalidateQueries({ queryKey: ['job', type, id] }),
  })
  return { job, error, trigger }
}
