import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { compile } from './compile.ts'
import { toViolationErrors } from './violation-errors.ts'

describe('toViolationErrors', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, 'a/b': { type: 'integer', maximum: 10 } },
  }
  const errorsOf = (value: unknown, prefix?: string) => {
    const result = compile(schema)(value)
    if (result.ok) throw new Error('the value was taken')
    return toViolationErrors(result.violations, 'validation_error', prefix)
  }

  it('gives one error a violation, with the message as title, the name in the detail, and the pointer', () => {
    const { errors } = errorsOf({ 'a/b': 11 }, '/data/attributes')
    const { status, body } = encodeJsonApi(errors, { requestId: 'r' })
    expect(status).toBe(422)
    expect(body).toEqual({
      errors: [
        {
          title: 'is required',
          detail: 'name - is required',
          code: 'VALIDATION_ERROR',
          source: { pointer: '/data/attributes/name' },
          status: '422',
        },
        {
          title: 'must be 10 or less',
          detail: 'a/b - must be 10 or less',
          code: 'VALIDATION_ERROR',
          source: { pointer: '/data/attributes/a~1b' },
          status: '422',
        },
      ],
    })
  })

  it('names nothing when the whole value is wrong', () => {
    expect(errorsOf(7).errors).toMatchObject([{ detail: 'must be of type object', source: { pointer: '' } }])
  })
})
