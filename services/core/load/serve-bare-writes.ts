/**
 * The reference of writes: an Express application that reads the same document, makes the same single-row insert or
 * update in the same table with pg, and answers the row. No token, no rules; of ids only what the address says.
 */
import { once } from 'node:events'
import { runAsTarget } from '@merx/load/run-as-target'
import { findFreePort } from '@merx/local-postgres/free-port'
import { createPool } from '@merx/postgres/pool'
import express from 'express'
import { decodeId } from './load-ids.ts'

interface SkuDocument {
  readonly data: { readonly attributes: Readonly<Record<string, unknown>> }
}

const INSERT = `INSERT INTO skus (environment_id, code, name, description, metadata, shipping_category_id)
  VALUES (1, $1, $2, $3, $4, 1) RETURNING *`

const UPDATE = `UPDATE skus SET name = $2 WHERE environment_id = 1 AND id = $1 RETURNING *`

runAsTarget(async ({ databaseUrl }: { readonly databaseUrl: string }) => {
  const pool = createPool({
    url: databaseUrl,
    maxConnections: 10,
    statementTimeoutMs: 10_000,
    applicationName: 'bare',
  })
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.post('/api/skus', express.json({ type: () => true }), async (req, res) => {
    const { attributes } = (req.body as SkuDocument).data
    const { code, name, description, metadata } = attributes
    const { rows } = await pool.query(INSERT, [code, name, description, JSON.stringify(metadata)])
    res.status(201).json({ data: rows[0] as unknown })
  })
  app.patch('/api/skus/:id', express.json({ type: () => true }), async (req, res) => {
    const { attributes } = (req.body as SkuDocument).data
    const { rows } = await pool.query(UPDATE, [decodeId('skus', req.params.id), attributes['name']])
    res.json({ data: rows[0] as unknown })
  })
  const port = await findFreePort()
  const server = app.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${port}`,
    facts: {},
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await pool.end()
    },
  }
})
