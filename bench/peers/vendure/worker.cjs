/** Vendure's worker, as the index-worker of its starter. */
const { bootstrapWorker } = require('@vendure/core')
const { configure } = require('./vendure-config.cjs')

bootstrapWorker(configure())
  .then((worker) => worker.startJobQueue())
  .catch((error) => {
    console.error(error)
    process.exit(1)
  })
