/** Vendure's server, as the index of its starter. */
const { bootstrap, runMigrations } = require('@vendure/core')
const { configure } = require('./vendure-config.cjs')

const config = configure()
runMigrations(config)
  .then(() => bootstrap(config))
  .catch((error) => {
    console.error(error)
    process.exit(1)
  })
