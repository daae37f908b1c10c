// with-postgres.ts <program> [words…]: runs a program in whose tests every server gets a database of one PostgreSQL, which
// is started for that.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startPostgres } from './postgres.ts'

const [program = '', ...words] = process.argv.slice(2)
const postgres = await startPostgres()
const env = { ...process.env, FILIGREE_TEST_DATABASE: postgres.address }
const [code] = await once(spawn(program, words, { env, stdio: 'inherit' }), 'close')
await postgres.stop()
process.exitCode = code ?? 1
