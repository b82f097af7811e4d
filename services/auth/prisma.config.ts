/** Where the Prisma command line finds schema and migrations. Only `prisma generate` is part of normal work. */
import { defineConfig } from 'prisma/config'

// eslint-disable-next-line import-x/no-default-export -- the Prisma command line reads the default export
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['AUTH_DATABASE_URL'] ?? 'postgresql://localhost/merx_auth' },
})
