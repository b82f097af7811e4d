/** The floor of the password grant: an Express application that checks one password a request, and no more. */
import { runAsTarget } from '@merx/load/run-as-target'
import { serveApp } from '@merx/load/serve-app'
import { hashPassword, isPasswordOf } from '@merx/passwords/passwords'

const PASSWORD = 'correct horse battery staple'

export interface ServeHasherInput {
  /** The whole body, so that as many bytes are sent. */
  readonly body: string
}

runAsTarget(async ({ body }: ServeHasherInput) => {
  const stored = await hashPassword(PASSWORD)
  const app = await serveApp((routes) =>
    routes.post('/oauth/token', async (_req, res) => {
      const isRight = await isPasswordOf(stored, PASSWORD)
      res
        .status(isRight ? 200 : 500)
        .type('json')
        .send(body)
    }),
  )
  return { facts: {}, ...app }
})
