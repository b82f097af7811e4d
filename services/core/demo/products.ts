/** 2,000 articles: families × colours × sizes. A code is its family, two colours and the size, as in TSHIRTMM000000FFFFFFXLXX. */
import type { Random } from './random.ts'

export interface Product {
  readonly code: string
  readonly name: string
  readonly description: string
  readonly category: 'apparel' | 'home' | 'fragile' | 'digital'
  /** In euro cents. */
  readonly amountCents: number
  readonly weightGrams: number
}

interface Family {
  readonly prefix: string
  readonly name: string
  readonly category: Product['category']
  readonly amountCents: number
  readonly weightGrams: number
  readonly sizes: readonly (readonly [code: string, name: string])[]
}

const APPAREL = [
  ['XSXX', 'XS'],
  ['SXXX', 'S'],
  ['MXXX', 'M'],
  ['LXXX', 'L'],
  ['XLXX', 'XL'],
  ['XXLX', 'XXL'],
] as const
const BABY = [
  ['3MXX', '3 months'],
  ['6MXX', '6 months'],
  ['12MX', '12 months'],
  ['24MX', '24 months'],
] as const
const ONE = [['1SIZ', '']] as const
const PRINT = [
  ['1218', '12 × 18 in'],
  ['1824', '18 × 24 in'],
  ['2436', '24 × 36 in'],
] as const

const FAMILIES: readonly Family[] = [
  {
    prefix: 'TSHIRTMM',
    name: 'Men T-shirt',
    category: 'apparel',
    amountCents: 2900,
    weightGrams: 180,
    sizes: APPAREL,
  },
  {
    prefix: 'TSHIRTWW',
    name: 'Women T-shirt',
    category: 'apparel',
    amountCents: 2900,
    weightGrams: 150,
    sizes: APPAREL,
  },
  {
    prefix: 'HOODIEUX',
    name: 'Unisex hoodie',
    category: 'apparel',
    amountCents: 5900,
    weightGrams: 520,
    sizes: APPAREL,
  },
  {
    prefix: 'SWEATMUX',
    name: 'Crew neck sweatshirt',
    category: 'apparel',
    amountCents: 4900,
    weightGrams: 440,
    sizes: APPAREL,
  },
  {
    prefix: 'POLOMXXX',
    name: 'Men polo',
    category: 'apparel',
    amountCents: 3900,
    weightGrams: 220,
    sizes: APPAREL,
  },
  {
    prefix: 'TANKTOPW',
    name: 'Women tank top',
    category: 'apparel',
    amountCents: 2500,
    weightGrams: 110,
    sizes: APPAREL,
  },
  {
    prefix: 'JOGGERMU',
    name: 'Joggers',
    category: 'apparel',
    amountCents: 5500,
    weightGrams: 410,
    sizes: APPAREL,
  },
  {
    prefix: 'BABYONES',
    name: 'Baby bodysuit',
    category: 'apparel',
    amountCents: 2200,
    weightGrams: 90,
    sizes: BABY,
  },
  {
    prefix: 'BABYBIBX',
    name: 'Baby bib',
    category: 'apparel',
    amountCents: 1500,
    weightGrams: 40,
    sizes: ONE,
  },
  { prefix: 'BEANIEXX', name: 'Beanie', category: 'apparel', amountCents: 1900, weightGrams: 80, sizes: ONE },
  {
    prefix: 'BASEBHAT',
    name: 'Baseball cap',
    category: 'apparel',
    amountCents: 2400,
    weightGrams: 95,
    sizes: ONE,
  },
  {
    prefix: 'APRONXXX',
    name: 'Kitchen apron',
    category: 'home',
    amountCents: 2700,
    weightGrams: 210,
    sizes: ONE,
  },
  { prefix: 'TOTEBAGX', name: 'Tote bag', category: 'home', amountCents: 1800, weightGrams: 120, sizes: ONE },
  { prefix: 'BACKPACK', name: 'Backpack', category: 'home', amountCents: 7900, weightGrams: 760, sizes: ONE },
  { prefix: 'PILLOWXX', name: 'Cushion', category: 'home', amountCents: 3200, weightGrams: 450, sizes: ONE },
  { prefix: 'NOTEBOOK', name: 'Notebook', category: 'home', amountCents: 1400, weightGrams: 260, sizes: ONE },
  { prefix: 'MUGXXXXX', name: 'Mug', category: 'fragile', amountCents: 1600, weightGrams: 340, sizes: ONE },
  {
    prefix: 'BOTTLEXX',
    name: 'Water bottle',
    category: 'fragile',
    amountCents: 2600,
    weightGrams: 300,
    sizes: ONE,
  },
  {
    prefix: 'CANVASAU',
    name: 'Canvas print',
    category: 'fragile',
    amountCents: 8900,
    weightGrams: 900,
    sizes: PRINT,
  },
  { prefix: 'POSTERXX', name: 'Poster', category: 'home', amountCents: 1200, weightGrams: 140, sizes: PRINT },
  { prefix: 'EBOOKXXX', name: 'E-book', category: 'digital', amountCents: 1900, weightGrams: 0, sizes: ONE },
]

const COLOURS: readonly (readonly [code: string, name: string])[] = [
  ['000000', 'black'],
  ['FFFFFF', 'white'],
  ['B7B7B7', 'grey'],
  ['1F2A44', 'navy'],
  ['E63946', 'red'],
  ['2A9D8F', 'teal'],
  ['F4A261', 'sand'],
  ['E9C46A', 'yellow'],
  ['6D597A', 'plum'],
  ['355070', 'denim'],
  ['FFB4A2', 'pink'],
  ['588157', 'green'],
]

/** The first `count` articles; a bigger count begins with the same ones. */
export const makeProducts = (random: Random, count: number): readonly Product[] => {
  const products: Product[] = []
  // Colour pairs outside, families inside: every family has articles however few there are.
  for (const [base, baseName] of COLOURS) {
    for (const [print, printName] of COLOURS) {
      if (base === print) continue
      for (const family of FAMILIES) {
        for (const [sizeCode, size] of family.sizes) {
          if (products.length === count) return products
          products.push({
            code: `${family.prefix}${base}${print}${sizeCode}`,
            name: `${baseName.charAt(0).toUpperCase()}${baseName.slice(1)} ${family.name} with ${printName} logo${size === '' ? '' : ` (${size})`}`,
            description: `${family.name} in ${baseName} with a ${printName} print.`,
            category: family.category,
            amountCents: family.amountCents + random.between(-4, 8) * 50,
            weightGrams: family.weightGrams,
          })
        }
      }
    }
  }
  return products
}
