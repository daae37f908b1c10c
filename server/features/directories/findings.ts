import type { Finding } from '../../../shared/api/diagnostics.ts'
import type { Db } from '../../db/schema.ts'
import type { Directory } from './directory.ts'
import { lastRun } from './runs.store.ts'

/** What administrators should know about a directory. */
export async function directoryFindings(db: Db, directory: Directory): Promise<Finding[]> {
  const { slug, label: what, servers } = directory.settings
  const test = [`filigree directories test ${slug}`]
  const answers = await directory.probe().then(
    () => true,
    () => false,
  )
  const run = await lastRun(db, slug)
  const found: Finding[] = [answers ? { code: 'directoryUp', what } : { code: 'directoryAway', what, lines: test }]
  if (servers.some(({ tls }) => tls === 'none')) found.push({ code: 'directoryPlain', what })
  const accept = [`filigree directories sync ${slug} --dryRun`, `filigree directories sync ${slug} --accept`]
  if (run?.state === 'doubtful') found.push({ code: 'directoryDoubtful', what, lines: accept })
  return found
}
