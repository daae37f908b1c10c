import { ask } from '../../test/scale/postgres.ts'
import { childrenOf } from '../peers.mjs'

/** @returns lists the processes of the PostgreSQL server of a database: the first one, and one per connection */
export async function processesOf(database) {
  const [{ text }] = await ask(database, `select pg_read_file('postmaster.pid') as text`)
  const first = Number(text.split('\n')[0])
  return () => [first, ...childrenOf(first)]
}
