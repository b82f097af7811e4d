import { renderBillOfMaterials, validateBillOfMaterials } from './bill-of-materials.ts'

const some = {
  name: '@scope/some',
  version: '1.2.3',
  integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}`,
  isOfPlatform: false,
  isProduction: true,
  licence: 'MIT',
}

interface Bill {
  readonly components: readonly object[]
}

describe('the bill of materials', () => {
  it('names each release with its address, digest, licence and whether an image holds it', async () => {
    const text = renderBillOfMaterials('1.0.0', [some, { ...some, name: 'tool', isProduction: false }])
    await validateBillOfMaterials(text)
    expect((JSON.parse(text) as Bill).components).toEqual([
      expect.objectContaining({
        group: '@scope',
        name: 'some',
        version: '1.2.3',
        purl: 'pkg:npm/%40scope/some@1.2.3',
        scope: 'required',
        hashes: [{ alg: 'SHA-512', content: '01'.repeat(64) }],
        licenses: [{ expression: 'MIT' }],
      }),
      expect.objectContaining({ name: 'tool', scope: 'excluded' }),
    ])
  })

  it('refuses a digest that it does not know', () => {
    expect(() => renderBillOfMaterials('1.0.0', [{ ...some, integrity: 'md5-AAAA' }])).toThrow('not sha512')
  })

  it('is checked against the standard', async () => {
    await expect(
      validateBillOfMaterials('{"bomFormat":"CycloneDX","specVersion":"1.6","x":1}'),
    ).rejects.toThrow('is not valid')
  })
})
