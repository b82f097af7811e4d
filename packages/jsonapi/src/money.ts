/**
 * Amounts in the smallest unit → units and text. Symbols come from Intl's currency data. The symbol always comes first, after the minus:
 * `€50,00`, `-€5,00`, `$1,234.50`, `¥1,200`; a symbol that ends in a letter is followed by a space (`CHF 9.50`).
 * Currencies whose home countries write a decimal comma have one here, whatever the language of the reader.
 */

/**
 * Decimals other than two, from ISO 4217 (list one); forints are the vendor's choice. Not from Intl: its data changes
 * with the runtime, and stored amounts must not change their value with it.
 */
const DIGITS = new Map([
  ...'BIF CLP DJF GNF HUF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
])

/** Currencies with a decimal comma at home (and a point between thousands). */
const DECIMAL_COMMA = new Set(
  (
    'EUR DKK SEK NOK ISK PLN CZK HUF RON BGN RSD BAM MKD ALL TRY RUB UAH BYN KZT GEL AMD AZN MDL ' +
    'BRL ARS CLP COP UYU PYG VES IDR VND MAD DZD TND AOA MZN'
  ).split(' '),
)

interface CurrencyStyle {
  readonly digits: number
  readonly prefix: string
  readonly decimal: string
  readonly group: string
}

const styles = new Map<string, CurrencyStyle>()

const styleOf = (currency: string): CurrencyStyle => {
  const known = styles.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  const symbol = format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? currency
  const hasComma = DECIMAL_COMMA.has(currency)
  const style = {
    digits: DIGITS.get(currency) ?? 2,
    prefix: /\p{Letter}$/u.test(symbol) ? `${symbol} ` : symbol,
    decimal: hasComma ? ',' : '.',
    group: hasComma ? '.' : ',',
  }
  styles.set(currency, style)
  return style
}

/** How many decimals a currency has: 2 for EUR, 0 for JPY and HUF. `currency` is an ISO 4217 code. */
export const minorDigitsOf = (currency: string): number => styleOf(currency).digits

/** Whole units of any currency, as far as metrics keeps them: Decimal(18, 4). */
const UNITS_MAX = 99_999_999_999_999

/** The most an amount of an order can be, in the smallest unit: up to there JSON numbers are exact, and metrics holds it. */
export const amountCentsMaxOf = (currency: string): number =>
  Math.min(Number.MAX_SAFE_INTEGER, UNITS_MAX * 10 ** minorDigitsOf(currency))

/** The amount in units, `1050` → `10.5` for EUR. A JSON number: compute with the cents. */
export const toUnits = (amountCents: number, currency: string): number =>
  amountCents / 10 ** minorDigitsOf(currency)

/**
 * The amount as text. `amountCents` is a safe integer.
 *
 * @example formatMoney(-500, 'EUR') === '-€5,00'
 */
export const formatMoney = (amountCents: number, currency: string): string => {
  const { digits, prefix, decimal, group } = styleOf(currency)
  const text = String(Math.abs(amountCents)).padStart(digits + 1, '0')
  const units = digits === 0 ? text : text.slice(0, -digits)
  const grouped = units.replaceAll(/\B(?=(\d{3})+$)/g, group)
  const fraction = digits === 0 ? '' : `${decimal}${text.slice(-digits)}`
  return `${amountCents < 0 ? '-' : ''}${prefix}${grouped}${fraction}`
}
