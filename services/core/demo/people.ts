/** Names and places of the demo's customers, by the country they live in. */

export interface Country {
  readonly code: string
  readonly language: string
  readonly phone: string
  readonly firstNames: readonly string[]
  readonly lastNames: readonly string[]
  readonly streets: readonly string[]
  /** City, state, postal code, latitude, longitude. */
  readonly cities: readonly (readonly [
    city: string,
    state: string | null,
    zip: string,
    lat: number,
    lng: number,
  ])[]
  /** In hundred-millionths; by state where states differ. */
  readonly taxRate: number
  readonly taxRateByState?: Readonly<Record<string, number>>
}

const split = (names: string): readonly string[] => names.split(' ')

export const COUNTRIES: Readonly<Record<string, Country>> = {
  IT: {
    code: 'IT',
    language: 'it',
    phone: '+39 02',
    firstNames: split(
      'Giulia Marco Sofia Luca Chiara Matteo Francesca Andrea Elena Davide Martina Simone Alice Paolo',
    ),
    lastNames: split(
      'Rossi Ferrari Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Costa Fontana Moretti',
    ),
    streets: ['Via Roma', 'Corso Italia', 'Via Garibaldi', 'Via Dante', 'Viale Europa', 'Via Verdi'],
    cities: [
      ['Milano', 'MI', '20121', 45.4642, 9.19],
      ['Roma', 'RM', '00184', 41.9028, 12.4964],
      ['Torino', 'TO', '10121', 45.0703, 7.6869],
      ['Bologna', 'BO', '40121', 44.4949, 11.3426],
    ],
    taxRate: 22_000_000,
  },
  FR: {
    code: 'FR',
    language: 'fr',
    phone: '+33 1',
    firstNames: split('Camille Lucas Manon Hugo Chloé Louis Emma Jules Léa Gabriel Inès Arthur Zoé Nathan'),
    lastNames: split(
      'Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Michel Garcia',
    ),
    streets: ['Rue de Rivoli', 'Avenue Foch', 'Rue Victor Hugo', 'Boulevard Voltaire', 'Rue de la Paix'],
    cities: [
      ['Paris', null, '75001', 48.8566, 2.3522],
      ['Lyon', null, '69002', 45.764, 4.8357],
      ['Marseille', null, '13001', 43.2965, 5.3698],
    ],
    taxRate: 20_000_000,
  },
  DE: {
    code: 'DE',
    language: 'de',
    phone: '+49 30',
    firstNames: split('Anna Paul Lena Jonas Marie Felix Laura Leon Lea Maximilian Hannah Lukas Sophie Tim'),
    lastNames: split(
      'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Richter Klein Wolf',
    ),
    streets: ['Hauptstraße', 'Schillerstraße', 'Goethestraße', 'Bahnhofstraße', 'Gartenstraße'],
    cities: [
      ['Berlin', 'BE', '10115', 52.52, 13.405],
      ['München', 'BY', '80331', 48.1351, 11.582],
      ['Hamburg', 'HH', '20095', 53.5511, 9.9937],
    ],
    taxRate: 19_000_000,
  },
  ES: {
    code: 'ES',
    language: 'es',
    phone: '+34 91',
    firstNames: split(
      'Lucía Hugo Martina Daniel Paula Pablo Sara Álvaro Carmen Diego Alba Javier Elena Mario',
    ),
    lastNames: split(
      'García Fernández López Martínez Sánchez Pérez Gómez Ruiz Díaz Moreno Muñoz Romero Alonso Torres',
    ),
    streets: ['Calle Mayor', 'Gran Vía', 'Calle de Alcalá', 'Paseo del Prado', 'Calle Real'],
    cities: [
      ['Madrid', 'M', '28001', 40.4168, -3.7038],
      ['Barcelona', 'B', '08001', 41.3874, 2.1686],
      ['Valencia', 'V', '46001', 39.4699, -0.3763],
    ],
    taxRate: 21_000_000,
  },
  GB: {
    code: 'GB',
    language: 'en',
    phone: '+44 20',
    firstNames: split('Olivia Noah Amelia Oliver Isla George Ava Harry Mia Jack Freya Charlie Grace Thomas'),
    lastNames: split(
      'Smith Jones Taylor Brown Williams Wilson Johnson Davies Patel Wright Walker Hughes Green Hall',
    ),
    streets: ['High Street', 'Church Lane', 'Station Road', 'Victoria Road', 'Park Avenue'],
    cities: [
      ['London', null, 'EC1A 1BB', 51.5072, -0.1276],
      ['Manchester', null, 'M1 1AE', 53.4808, -2.2426],
      ['Edinburgh', null, 'EH1 1YZ', 55.9533, -3.1883],
    ],
    taxRate: 20_000_000,
  },
  US: {
    code: 'US',
    language: 'en',
    phone: '+1 212',
    firstNames: split(
      'Emma Liam Olivia Noah Ava James Sophia Benjamin Isabella Lucas Mia Henry Evelyn Alexander',
    ),
    lastNames: split(
      'Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Lopez Lee Walker Young',
    ),
    streets: [
      'Main Street',
      'Oak Avenue',
      'Maple Drive',
      'Washington Street',
      'Lake Street',
      'Sunset Boulevard',
    ],
    cities: [
      ['New York', 'NY', '10001', 40.7128, -74.006],
      ['Los Angeles', 'CA', '90001', 34.0522, -118.2437],
      ['Chicago', 'IL', '60601', 41.8781, -87.6298],
      ['Austin', 'TX', '78701', 30.2672, -97.7431],
      ['Portland', 'OR', '97201', 45.5152, -122.6784],
    ],
    taxRate: 0,
    taxRateByState: { NY: 8_875_000, CA: 9_500_000, IL: 10_250_000, TX: 8_250_000, OR: 0 },
  },
  JP: {
    code: 'JP',
    language: 'ja',
    phone: '+81 3',
    firstNames: split('Yui Haruto Sakura Sota Hana Yuto Aoi Ren Rin Kaito Mei Daiki Akari Takumi'),
    lastNames: split(
      'Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki Mori',
    ),
    streets: ['Ginza', 'Shibuya', 'Umeda', 'Sakae', 'Chuo-dori'],
    cities: [
      ['Tokyo', '13', '104-0061', 35.6762, 139.6503],
      ['Osaka', '27', '530-0001', 34.6937, 135.5023],
    ],
    taxRate: 10_000_000,
  },
}
