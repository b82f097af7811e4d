/**
 * Auth and core as metrics uses them, answered from what was recorded: metrics is measured alone. The feed gives a shop of
 * so many orders at once, and then goes on changing some of them, as many a second as configured.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { runAsTarget } from '@merx/load/run-as-target'
import { serveApp } from '@merx/load/serve-app'
import { createTokenMint } from '@merx/testing/mint-token'
import type { RequestHandler } from 'express'
import { integrationClaims, recording as recordedAuth } from './recorded-auth.ts'
import { recordedDocument, recording as recordedCore } from './recorded-core.ts'
import { documentOf } from './shop-documents.ts'

export interface RecordedNeighboursInput {
  readonly orders: number
  readonly changesPerSecond: number
}

export interface RecordedNeighboursFacts {
  /** Of an integration of the organization and mode of the recorded order. */
  readonly token: string
}

const PAGE = 500
const CHANGES_EVERY_MS = 500
const STRIDE = 7_919

/** The whole state at once; a later request waits for ever, because nothing changes. */
const accessState: RequestHandler = (req, res) => {
  const waitMs = req.query['after'] === undefined ? 0 : Number(req.query['wait_seconds'] ?? 0) * 1_000
  const timer = setTimeout(() => res.json(recordedAuth.access_state), waitMs)
  res.on('close', () => clearTimeout(timer))
}

/** A cursor says how many entries came before, so that a page that is asked for again is the same. */
const orderFeed =
  ({ orders, changesPerSecond }: RecordedNeighboursInput): RequestHandler =>
  async (req, res) => {
    const { after, wait_seconds: seconds } = req.query
    const done = typeof after === 'string' ? Number(after.slice(1)) : 0
    const isFilling = done < orders
    const size = isFilling
      ? Math.min(PAGE, orders - done)
      : Math.round((changesPerSecond * CHANGES_EVERY_MS) / 1_000)
    if (!isFilling) {
      if (Number(seconds ?? 0) === 0)
        return void res.json({ entries: [], cursor: `c${done}`, caught_up: true })
      await wait(CHANGES_EVERY_MS)
    }
    const entries = Array.from({ length: size }, (_, at) => {
      const number = isFilling ? done + at : ((done + at) * STRIDE) % orders
      return { kind: 'upsert', document: documentOf(number, orders, done + at + 1) }
    })
    res.json({ entries, cursor: `c${done + size}`, caught_up: done + size >= orders })
  }

runAsTarget(async (input: RecordedNeighboursInput) => {
  const { organization, mode } = recordedDocument()
  const mint = await createTokenMint()
  const claims = integrationClaims()
  const facts: RecordedNeighboursFacts = {
    token: await mint.mint({
      ...claims,
      organization: { ...(claims.organization as object), id: organization.id, slug: organization.slug },
      test: mode === 'test',
    }),
  }
  return {
    facts,
    ...(await serveApp((app) => {
      app.get('/.well-known/jwks.json', (_req, res) => {
        res.json(mint.keySet)
      })
      app.get('/internal/access-state', accessState)
      app.get('/internal/order-feed', orderFeed(input))
      app.post('/internal/order-feed/lease', (_req, res) => {
        res.json({ ...recordedCore.lease, is_held: true })
      })
    })),
  }
})
