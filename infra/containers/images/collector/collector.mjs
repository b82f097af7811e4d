/** A line for each export: the signal and its bytes. 200 to everything, health on 13133. */
import { createServer } from 'node:http'

const counts = new Map()
createServer((req, res) => {
  let bytes = 0
  req.on('data', (chunk) => (bytes += chunk.length))
  req.on('end', () => {
    counts.set(req.url, (counts.get(req.url) ?? 0) + 1)
    process.stdout.write(`${JSON.stringify({ path: req.url, type: req.headers['content-type'], bytes })}\n`)
    res.writeHead(200, { 'Content-Type': req.headers['content-type'] ?? 'application/json' })
    res.end(req.headers['content-type'] === 'application/json' ? '{}' : '')
  })
}).listen(4318)
createServer((_req, res) => res.end(JSON.stringify(Object.fromEntries(counts)))).listen(13133)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0))
