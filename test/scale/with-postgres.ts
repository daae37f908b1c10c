// with-postgres.ts <program> [arguments…]: runs a program in whose tests every server gets a database of one
// PostgreSQL, which is started for that.
import { startPostgres } from './postgres.ts'
import { runInside } from './run-inside.ts'

const postgres = await startPostgres()
process.exitCode = await runInside({ ...process.env, FILIGREE_TEST_DATABASE: postgres.address })
await postgres.stop()
