import { runAsTarget } from '../run-as-target.ts'

runAsTarget(async () => ({ url: 'http://127.0.0.1:1', facts: {}, close: async () => undefined }))
