/**
 * A drawing for an article of the demo, so that a shop front has pictures and asks no other host. The code says what it is
 * and in which two colours: TSHIRTMM 000000 FFFFFF XLXX is a black shirt with a white logo.
 */

/** Where pictures are; `/<code>.svg` follows. */
export const PICTURES_PATH = '/api/pictures'

/** The path that an article of the demo has as its `image_url`. */
export const picturePathOf = (code: string): string => `${PICTURES_PATH}/${code}.svg`

const CODE = /^([A-Z0-9]{8})([0-9A-F]{6})([0-9A-F]{6})[A-Z0-9]{4}$/

/** What is drawn for the families whose name begins so, within 400 × 400; the first that fits. */
const OUTLINES: readonly (readonly [prefix: string, path: string])[] = [
  [
    'HOODIE',
    'M150 90q50 40 100 0l70 40-30 70-30-15v135h-120v-135l-30 15-30-70zM165 80q35-45 70 0-35 30-70 0z',
  ],
  ['TANKTOP', 'M155 80h25q20 45 40 0h25q0 60 25 70v170h-140v-170q25-10 25-70z'],
  ['JOGGER', 'M150 80h100l20 250h-45l-25-170-25 170h-45z'],
  ['BABYONES', 'M150 90q50 40 100 0l55 35-25 55-25-12v92q-30 15-40 60h-30q-10-45-40-60v-92l-25 12-25-55z'],
  ['BABYBIB', 'M150 90q0 70 50 70t50-70q60 30 60 110t-110 110-110-110 60-110z'],
  ['BEANIE', 'M110 250q0-140 90-140t90 140zM100 255h200v45h-200zM185 85h30v25h-30z'],
  ['BASEB', 'M110 250q0-120 95-120t95 120q60 10 70 40h-260z'],
  ['APRON', 'M160 90h80q5 60 50 75v155h-180v-155q45-15 50-75z'],
  ['TOTEBAG', 'M120 160h160l15 170h-190zM155 160q0-80 45-80t45 80h-15q0-62-30-62t-30 62z'],
  ['BACKPACK', 'M130 150q0-70 70-70t70 70v170h-140zM150 230h100v60h-100z'],
  ['PILLOW', 'M100 120q100 25 200 0-25 80 0 160-100-25-200 0 25-80 0-160z'],
  [
    'NOTEBOOK',
    'M130 90h140v230h-140zM115 110h20v12h-20zM115 160h20v12h-20zM115 210h20v12h-20zM115 260h20v12h-20z',
  ],
  [
    'MUG',
    'M120 120h130v170q0 20-20 20h-90q-20 0-20-20zM250 150h25q35 0 35 45t-35 45h-25v-20h20q18 0 18-25t-18-25h-20z',
  ],
  ['BOTTLE', 'M180 70h40v45q30 15 30 60v145h-100v-145q0-45 30-60z'],
  ['EBOOK', 'M140 80h120q12 0 12 12v226q0 12-12 12h-120q-12 0-12-12v-226q0-12 12-12z'],
  ['CANVAS', 'M100 110h200v180h-200z'],
  ['POSTER', 'M130 80h140v240h-140z'],
  ['', 'M150 90q50 40 100 0l70 40-30 70-30-15v135h-120v-135l-30 15-30-70z'],
]

/** Undefined for a code that is none of the demo's. */
export const drawPicture = (code: string): string | undefined => {
  const [, family = '', base = '', print = ''] = CODE.exec(code) ?? []
  const outline = OUTLINES.find(([prefix]) => family.startsWith(prefix))?.[1]
  if (family === '' || outline === undefined) return undefined
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" width="400" height="400">',
    '<rect width="400" height="400" fill="#f2f0ec"/>',
    `<path d="${outline}" fill="#${base}" stroke="#8a8580" stroke-width="3" stroke-linejoin="round"/>`,
    `<circle cx="200" cy="215" r="24" fill="#${print}" stroke="#8a8580"/>`,
    '</svg>',
  ].join('')
}
