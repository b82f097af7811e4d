/**
 * Core's internal interface as auth uses it, answered from recorded-core.json: auth is measured alone. Only a customer's
 * password is really checked, at its full cost, because nobody gets a token for one without it.
 */
import { runAsTarget } from '@merx/load/run-as-target'
import { serveApp } from '@merx/load/serve-app'
import { isPasswordOf } from '@merx/passwords/passwords'
import express, { type RequestHandler } from 'express'
import { answerScopes, recording, type ScopesQuestion } from './recorded-core.ts'

const resolveScopes: RequestHandler = (req, res) => {
  res.json(answerScopes(req.body as ScopesQuestion))
}

const authenticate: RequestHandler = async (req, res) => {
  const { email, password } = req.body as { email: string; password: string }
  if (await isPasswordOf(recording.password_hash, password)) res.json({ ...recording.customer, email })
  else res.status(404).json({ errors: [] })
}

const findCustomer: RequestHandler = (req, res) => {
  res.json({ ...recording.customer, id: req.params.id })
}

runAsTarget(async () => ({
  facts: {},
  ...(await serveApp((app) => {
    app.use(express.json())
    app.post('/internal/scopes/resolve', resolveScopes)
    app.post('/internal/customers/authenticate', authenticate)
    app.get('/internal/customers/:id', findCustomer)
    app.put('/internal/environments', (_req, res) => {
      res.status(204).end()
    })
  })),
}))
