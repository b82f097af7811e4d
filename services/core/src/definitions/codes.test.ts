/** Codes of currencies and countries: those of the library, and every code that was accepted before it was used. */
import { COUNTRIES } from './countries.ts'
import { CURRENCIES } from './currencies.ts'

const EARLIER_CURRENCIES = (
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD ' +
  'CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD ' +
  'GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT ' +
  'LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR ' +
  'NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP ' +
  'STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF ' +
  'XPF YER ZAR ZMW ZWG'
).split(' ')

const EARLIER_COUNTRIES = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT ' +
  'BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ' +
  'ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT ' +
  'HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS ' +
  'LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI ' +
  'NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG ' +
  'SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
  'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ')

describe('currencies', () => {
  it('are those of ISO 4217 now, with the Caribbean guilder', () => {
    expect(CURRENCIES).toContain('XCG')
  })

  it('include every code that was accepted before, replaced ones too', () => {
    expect(EARLIER_CURRENCIES).toEqual(expect.arrayContaining(['ANG', 'BGN']))
    expect(EARLIER_CURRENCIES.filter((code) => !CURRENCIES.includes(code))).toEqual([])
  })

  it('are codes of money, each once, in order', () => {
    expect(CURRENCIES.filter((code) => !EARLIER_CURRENCIES.includes(code))).toEqual(['XCG'])
    expect(CURRENCIES).toEqual([...new Set(CURRENCIES)].sort())
  })
})

describe('countries', () => {
  it('are the assigned codes of ISO 3166-1 and Kosovo', () => {
    expect(COUNTRIES.filter((code) => !EARLIER_COUNTRIES.includes(code))).toEqual(['XK'])
    expect(EARLIER_COUNTRIES.filter((code) => !COUNTRIES.includes(code))).toEqual([])
  })
})
