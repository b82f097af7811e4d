import { findSecretsIn } from './secrets.ts'

/** Put together here, so that this file holds none. */
const PRIVATE_KEY = [
  '-----BEGIN RSA PRIVATE',
  ' KEY-----\n',
  'MIIEpAIBAAKCAQEA'.repeat(40),
  '\n-----END RSA PRIVATE',
  ' KEY-----',
].join('')
const AWS_KEY = 'wJalrXUtnFEMIK7MDENGbPxRfiCYzQv8T1uS2o3P'

const found = (content: string) => findSecretsIn({ name: 'some.ts', content })

describe('secrets in sources', () => {
  it('a private key is one', async () => {
    expect(await found(PRIVATE_KEY)).toEqual([expect.stringMatching(/^some\.ts:1 looks like a secret/)])
  })

  it('a key of a cloud is one, and its value is not repeated', async () => {
    const sentences = await found(`AWS_SECRET_ACCESS_KEY = "${AWS_KEY}"`)
    expect(sentences).toHaveLength(1)
    expect(sentences.join()).not.toContain(AWS_KEY)
  })

  it('a database elsewhere with a password is one; one of this machine is not', async () => {
    expect(await found(`postgresql://merx:${'s3cr3t-of-x'}@db.shop.example.com:5432/merx`)).toHaveLength(1)
    expect(await found('postgresql://merx:merx@127.0.0.1:5432/merx')).toEqual([])
  })

  it('does not take ordinary code for a secret', async () => {
    expect(await found('const token = await accessToken("integration")')).toEqual([])
  })
})
