/** Prisma's own tool reads this; the service does not. The migrations work with `prisma migrate deploy` too. */
import { defineConfig } from 'prisma/config'

// eslint-disable-next-line import-x/no-default-export -- the form Prisma asks for
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'migrations' },
  datasource: { url: process.env['CORE_DATABASE_URL'] ?? 'postgresql://127.0.0.1:5432/merx_core' },
})
