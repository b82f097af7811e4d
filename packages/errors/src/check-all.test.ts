import { AppError, AppErrors } from './app-error.ts'
import { checkAll, gather } from './check-all.ts'

const refuse =
  (...codes: readonly AppError['code'][]) =>
  () => {
    throw new AppErrors(codes.map((code) => new AppError(code)))
  }

const thrownBy = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('checkAll', () => {
  it('gives what each check returns', () => {
    const [number, text] = checkAll(
      () => 7,
      () => 'seven',
    )
    expect(number + text.length).toBe(12)
  })

  it('throws the violations of all checks, in their order', () => {
    const error = thrownBy(() =>
      checkAll(
        refuse('invalid_include', 'invalid_field'),
        () => 'good',
        () => {
          throw new AppError('param_missing')
        },
      ),
    )
    expect(error).toBeInstanceOf(AppErrors)
    expect((error as AppErrors).errors.map(({ code }) => code)).toEqual([
      'invalid_include',
      'invalid_field',
      'param_missing',
    ])
  })

  it('throws a single violation unwrapped', () => {
    expect(thrownBy(() => checkAll(() => 1, refuse('param_missing')))).toMatchObject({
      code: 'param_missing',
    })
  })

  it('does not report an internal error as a violation', () => {
    const bug = new TypeError('a bug')
    const fail = (): never => {
      throw bug
    }
    expect(thrownBy(() => checkAll(refuse('param_missing'), fail))).toBe(bug)
  })
})

describe('gather', () => {
  it('gives what a check returns, also a promised one', async () => {
    const violations: AppError[] = []
    expect(await gather(violations, () => Promise.resolve(7))).toBe(7)
    expect(violations).toEqual([])
  })

  it('adds the violations of a check to the existing ones', async () => {
    const violations = [new AppError('param_missing')]
    await gather(violations, refuse('invalid_include', 'invalid_field'))
    const one = await gather(violations, () => Promise.reject(new AppError('record_not_found')))
    expect(one).toBeUndefined()
    expect(violations.map(({ code }) => code)).toEqual([
      'param_missing',
      'invalid_include',
      'invalid_field',
      'record_not_found',
    ])
  })

  it('does not report an internal error as a violation', async () => {
    const bug = new TypeError('a bug')
    await expect(gather([], () => Promise.reject(bug))).rejects.toBe(bug)
  })
})
