/**
 * Writes docs/reference/console-screens.md: which screens the console has for each type.
 * `node services/core/gen/console-screens.ts`
 */
import { writeFile } from 'node:fs/promises'
import { resources } from '../src/areas.ts'

/** Where the page is kept. */
export const consoleScreensPath = new URL('../../../docs/reference/console-screens.md', import.meta.url)

/** Types with screens of their own, besides those that every type has. */
const OWN: Readonly<Record<string, string>> = {
  exports: '`/console/bulk/exports`',
  imports: '`/console/bulk/imports`',
  orders: '`/console/orders`',
  skus: '`/console/products`',
  webhooks: '`/console/webhooks`',
}

const yes = (is: boolean): string => (is ? 'yes' : '')

/** Every type; what the operations of core allow, a role may narrow. */
export const renderConsoleScreens = (): string => {
  const rows = resources
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    .map(({ type, operations, isSingleton }) => {
      const has = (name: (typeof operations)[number]) => yes(operations.includes(name))
      const list = isSingleton ? '' : has('list')
      const cells = [list, yes(isSingleton || operations.includes('retrieve')), has('create'), has('update')]
      return `| ${[`\`${type}\``, ...cells, has('delete'), OWN[type] ?? ''].join(' | ')} |`
    })
  return [
    '# Screens of the console',
    '',
    'Generated from the areas in `services/core/src/` by services/core/gen/console-screens.ts; do not edit. How to use them: [use the console](../how-to/use-the-console.md).',
    '',
    'The list of a type is at `/console/records/<type>`, a record below it; what a role may not do is not shown.',
    '',
    '| Type | List | Page | Create | Change | Delete | Of its own |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

if (import.meta.main) await writeFile(consoleScreensPath, renderConsoleScreens())
