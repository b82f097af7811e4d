import { AppError, AppErrors } from './app-error.ts'
import { checkAll } from './check-all.ts'

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

  it('throws the faults of all checks, in their order', () => {
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

  it('throws a single fault as it is', () => {
    expect(thrownBy(() => checkAll(() => 1, refuse('param_missing')))).toMatchObject({
      code: 'param_missing',
    })
  })

  it('does not take a fault of ours for one of the caller', () => {
    const bug = new TypeError('a bug')
    const fail = (): never => {
      throw bug
    }
    expect(thrownBy(() => checkAll(refuse('param_missing'), fail))).toBe(bug)
  })
})
