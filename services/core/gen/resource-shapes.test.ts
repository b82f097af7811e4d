import { readFile } from 'node:fs/promises'
import { renderResourceShapes, resourceShapesPath } from './resource-shapes.ts'

describe('the shapes of resources that auth checks roles against', () => {
  it('are what the definitions say; after an edit run `npm run gen`', async () => {
    expect(await readFile(resourceShapesPath, 'utf8')).toBe(renderResourceShapes())
  })

  it('say what may be filtered, written and where relationships lead', () => {
    const { skus, organizations } = JSON.parse(renderResourceShapes()) as Record<
      string,
      Record<string, unknown>
    >
    expect(skus).toMatchObject({
      attributes: {
        code: { kind: 'text', write: 'always', filter: true },
        inventory: { kind: 'loaded', show: 'single' },
      },
      relationships: { shipping_category: { kind: 'toOne', targets: ['shipping_categories'], filter: true } },
    })
    expect(organizations).toMatchObject({ isSingleton: true })
  })
})
