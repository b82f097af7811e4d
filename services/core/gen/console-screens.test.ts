import { readFile } from 'node:fs/promises'
import { consoleScreensPath, renderConsoleScreens } from './console-screens.ts'

describe('the screens of the console', () => {
  it('are what the definitions say; after an edit run `npm run gen`', async () => {
    expect(await readFile(consoleScreensPath, 'utf8')).toBe(renderConsoleScreens())
  })

  it('follow the operations of each type', () => {
    expect(renderConsoleScreens()).toContain('| `skus` | yes | yes | yes | yes | yes | `/console/products` |')
    expect(renderConsoleScreens()).toContain('| `organizations` |  | yes |  |  |  |  |')
    expect(renderConsoleScreens()).toContain('| `captures` | yes | yes |  | yes |  |  |')
  })
})
