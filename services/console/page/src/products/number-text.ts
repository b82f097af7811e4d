/** Amounts and quantities as somebody types them: `12.50` or `12,50`, and digits of any script that the page speaks. */
import { digitsOf } from '../data/format.ts'
import { locale, t } from '../language/text.ts'

export type ParsedNumber = { readonly value: number } | { readonly problem: string }

/** Arabic and Persian digits, and the Arabic decimal separator, are those that Unicode has at these places. */
const toAscii = (text: string): string =>
  text
    .trim()
    .replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x6_60))
    .replaceAll(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6_f0))
    .replaceAll(/[٫,]/g, '.')

const separator = (): string =>
  new Intl.NumberFormat(locale(), { numberingSystem: 'latn' })
    .formatToParts(0.5)
    .find(({ type }) => type === 'decimal')?.value ?? '.'

/** 1250 cents → `12.50`, or `12,50` where people write so. */
export const toAmountText = (cents: number, currency: string): string => {
  const digits = digitsOf(currency)
  return (cents / 10 ** digits).toFixed(digits).replace('.', separator())
}

/** `12.5` → 1250 cents. There is no separator of thousands, so 1.250 is never read as something else. */
export const parseAmount = (text: string, currency: string): ParsedNumber => {
  const digits = digitsOf(currency)
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d{1,15})(?:\.(\d*))?$/.exec(toAscii(text)) ?? []
  const example = toAmountText(1250 * 10 ** Math.max(digits - 2, 0), currency)
  if (whole === '') return { problem: t('must be an amount, such as {example}', { example }) }
  if (part.length > digits)
    return {
      problem: t('{currency} has {digits, plural, =0 {no decimals} one {# decimal} other {# decimals}}', {
        ...{ currency, digits },
      }),
    }
  const value = Number(`${sign}${whole}${part.padEnd(digits, '0')}`)
  return Number.isSafeInteger(value)
    ? { value }
    : { problem: t('must be an amount, such as {example}', { example }) }
}

export const parseQuantity = (text: string): ParsedNumber => {
  const value = /^-?\d{1,15}$/.test(toAscii(text)) ? Number(toAscii(text)) : Number.NaN
  return Number.isSafeInteger(value) ? { value } : { problem: t('must be a whole number') }
}
