import { ask } from '../../test/scale/postgres.ts'
import { childrenOf } from '../peers.mjs'

/** @returns tells the processes of the PostgreSQL that has a database: the first one, and one for each connection */
export async function processesOf(database) {
  const [{ text }] = await ask(database, `select pg_read_file('postmaster.pid') as text`)
  const first = Number(text.split('\n')[0])
  return () => [first, ...childrenOf(first)]
}
