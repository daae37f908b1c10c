import { genSaltSync, hashSync } from 'bcryptjs'
import { AppError } from '../errors.ts'
import type { Command } from './command.ts'

const COST = 10
/** Bytes of a password that bcrypt uses. */
const LONGEST = 72

export const command: Command = {
  usage: '<password>',
  summary: 'Prints the bcrypt hash of a password, for --password and FILIGREE_PASSWORD',
  words: { least: 1, most: 1 },
  async run({ positionals: [password = ''] }) {
    if (Buffer.byteLength(password) > LONGEST) {
      throw new AppError(
        'bad_request',
        `bcrypt uses only the first ${LONGEST} bytes of a password; this one is longer.`,
      )
    }
    console.log(hashSync(password, genSaltSync(COST).replace('$2b$', '$2a$')))
  },
}
