import { dirname } from 'node:path'
import { type Finding, stateOf } from '../../../shared/api/diagnostics.ts'
import { probeAccelRedirect } from '../../../shared/diagnostics/probe-accel-redirect.ts'
import { probeProxy } from '../../../shared/diagnostics/probe-proxy.ts'
import { probeTimeouts } from '../../../shared/diagnostics/probe-timeouts.ts'
import type { Config } from '../../config.ts'
import { confinementLevel, kernelState } from '../../context.ts'
import { isPostgres } from '../../db/address.ts'
import { checkDatabase } from '../../features/diagnostics/database.ts'
import { checkHost } from '../../features/diagnostics/host.ts'
import { DocumentConverter } from '../../features/documents/converter.ts'
import { Secrets } from '../../features/secrets/secrets.ts'
import { historyFindings } from '../../history/findings.ts'
import { ProgramRunner } from '../../sandbox/run-program.ts'
import { findSandbox } from '../../sandbox/sandbox.ts'
import { findProgram } from '../../sandbox/which.ts'
import type { Command } from '../command.ts'
import { ROOT_FLAG } from '../command.ts'
import { hostOf, inDb } from '../open.ts'
import { printable } from '../print.ts'
import { withTrash } from '../served-folder.ts'
import { probeTarget } from './ask.ts'
import { sentenceOf } from './sentences.ts'

const STATES = { fine: 'ok', notable: 'warning', wrong: 'error' } as const
/** Width of the state column. */
const INDENT = 14

export const command: Command = {
  usage: '',
  summary: 'Checks the server and the proxy for problems, and says what to change',
  flags: [
    ROOT_FLAG,
    { flag: 'url', doc: 'Public URL of the server, to check the proxy, too.' },
    {
      flag: 'token',
      doc: 'Session token of an administrator, to test slow responses and downloads; takes a minute.',
    },
  ],
  words: { least: 0, most: 0 },
  async run(given) {
    const url = given.flags.get('url')
    const token = given.flags.get('token')
    const along = url === undefined ? [] : await probeProxy(probeTarget(url))
    const inside = url === undefined || token === undefined ? [] : await probeAsAdmin(url, token)
    const config = await hostOf(given)
    const here = await checkHere(config)
    const inDatabase = [...(await checkHistory(config, here)), ...(await checkSecrets(config, here))]
    const findings = [...here, ...inDatabase, ...along, ...inside]
    for (const notice of config.notices) console.log(`${STATES.notable.padEnd(INDENT)}${printable(notice)}`)
    for (const finding of findings) printFinding(finding)
    if (findings.some(finding => stateOf(finding) === 'wrong')) process.exitCode = 1
  },
}

/** Probes that need the session of an administrator. */
async function probeAsAdmin(url: string, token: string): Promise<Finding[]> {
  const { ask } = probeTarget(url, token)
  const atOrigin = probeTarget(new URL(url).origin).ask
  return (await Promise.all([probeTimeouts(ask), probeAccelRedirect(ask, atOrigin)])).flat()
}

/** Checks of the host, with the settings of a server. */
async function checkHere({ rootFolder, ...config }: Config): Promise<Finding[]> {
  const { root, database, disableExec, execSandbox, documents, environment } = config
  const folders = [rootFolder, isPostgres(database) ? undefined : dirname(database)]
  return checkHost({
    folders: folders.filter(folder => folder !== undefined),
    database: await checkDatabase(database),
    confinement: confinementLevel(),
    kernelMissing: kernelState(config.kernel).missing,
    sandbox: disableExec ? undefined : findSandbox(execSandbox, environment, root),
    documents: new DocumentConverter({ allowed: documents === 'auto', programs: new ProgramRunner(), environment })
      .state,
    videos: rootFolder === undefined ? undefined : findProgram('ffmpeg', environment.PATH ?? '') !== undefined,
  })
}

/** What the records of deleted items say; nothing without a sound database. */
async function checkHistory(config: Config, here: readonly Finding[]): Promise<Finding[]> {
  if (!here.some(({ code }) => code === 'databaseSound')) return []
  return inDb(config, db => withTrash(config, db, ({ recovery }) => historyFindings(recovery))).catch(() => [])
}

/** Whether the keys of the host open the secrets in the database; nothing without a sound one. */
async function checkSecrets(config: Config, here: readonly Finding[]): Promise<Finding[]> {
  if (!here.some(({ code }) => code === 'databaseSound')) return []
  return inDb(config, db => new Secrets(db, config).findings()).catch(() => [])
}

function printFinding(finding: Finding): void {
  console.log(`${STATES[stateOf(finding)].padEnd(INDENT)}${printable(sentenceOf(finding))}`)
  for (const line of finding.lines ?? []) console.log(`${' '.repeat(INDENT)}${printable(line)}`)
}
