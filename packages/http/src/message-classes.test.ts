import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { giveMessageClasses, messageClassesOf } from './message-classes.ts'

describe('the requests and responses of an app', () => {
  it('have the prototypes that Express would give them, so it changes none', async () => {
    const app = express()
    giveMessageClasses(app)
    const changed: unknown[] = []
    app.get('/', (req, res) => {
      changed.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res))
      res.json({ isApps: req.app === app && res.app === app, host: req.hostname })
    })
    const given: unknown[] = []
    const server = createServer(messageClassesOf(app), (req, res) => {
      given.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res))
      app(req, res)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      expect(await answer.json()).toEqual({ isApps: true, host: '127.0.0.1' })
    } finally {
      server.close()
    }
    expect(given).toEqual([app.request, app.response])
    expect(changed[0]).toBe(given[0])
    expect(changed[1]).toBe(given[1])
    expect(given[0]).toBeInstanceOf(IncomingMessage)
    expect(given[1]).toBeInstanceOf(ServerResponse)
  })

  it('are those of Node for a listener that is no app', () => {
    expect(messageClassesOf(() => undefined)).toEqual({})
  })
})
