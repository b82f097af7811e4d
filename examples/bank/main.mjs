/**
 * Runs the bank of bank.mjs. Give it the shared secret of the external gateway:
 *   BANK_SECRET=… BANK_PORT=9100 BANK_FAULT=none BANK_FILE=book.jsonl node examples/bank/main.mjs
 */
import { FAULTS, openBank } from './bank.mjs'

const { BANK_SECRET = '', BANK_PORT = '9100', BANK_FAULT = 'none', BANK_FILE } = process.env
if (!FAULTS.includes(BANK_FAULT)) {
  console.error(`BANK_FAULT must be one of ${FAULTS.join(', ')}`)
  process.exit(2)
}
const bank = await openBank({
  secret: BANK_SECRET,
  port: Number(BANK_PORT),
  ...(BANK_FILE === undefined ? {} : { file: BANK_FILE }),
})
bank.setFault(BANK_FAULT)
for (const path of ['authorize', 'capture', 'void', 'refund', 'token', 'book'])
  console.log(`${bank.url}/${path}`)
