import { runAsTarget } from '../run-as-target.ts'

runAsTarget(async () => {
  throw new Error('no database here')
})
