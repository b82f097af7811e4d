import { changedValues, collectValues } from './collect-values.ts'

const category = { type: 'shipping_categories', id: 'aaa', name: 'Parcels' }
const before = {
  code: 'A1',
  name: 'Shirt',
  weight: '',
  metadata: '{}',
  shipping_category: [category],
  tags: [],
}

it('sends what was changed, and nothing else', () => {
  const values = { ...before, name: 'Blouse', weight: '0.2', tags: [{ type: 'tags', id: 't', name: 'New' }] }
  expect(collectValues('skus', values, before)).toEqual({
    attributes: { name: 'Blouse', weight: 0.2 },
    relationships: { tags: { data: [{ type: 'tags', id: 't' }] } },
    problems: {},
  })
  expect(collectValues('skus', before, before)).toEqual({ attributes: {}, relationships: {}, problems: {} })
})

it('says what cannot be sent of every field', () => {
  const values = { ...before, weight: 'heavy', metadata: '{"a"' }
  const { problems, attributes } = collectValues('skus', values, before)
  expect(Object.keys(problems)).toEqual(['weight', 'metadata'])
  expect(attributes).toEqual({})
})

it('takes a relationship away as null', () => {
  const { relationships } = collectValues('skus', { ...before, shipping_category: [] }, before)
  expect(relationships).toEqual({ shipping_category: { data: null } })
})

it('knows what is left to keep', () => {
  expect(changedValues({ ...before, code: 'A2' }, before)).toEqual({ code: 'A2' })
})
