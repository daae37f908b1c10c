import { chmodSync, lstatSync, readFileSync, realpathSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { createSecureContext } from 'node:tls'
import { type Config, databaseOf, readConfig } from '../config.ts'
import { isPostgres } from '../db/address.ts'
import { AppError } from '../errors.ts'
import type { TlsMaterial } from '../http/tls.ts'
import { type MadeAdmin, start } from '../main.ts'
import { takeStopRequests } from './stop-requests.ts'
import { storedSettings } from './stored.ts'
import { openSupervisor } from './systemd-notify.ts'

/** Serves until it is asked to stop, then lets running requests end. A start-up comes to its end before that. */
export async function serve(args: readonly string[]): Promise<void> {
  const stopping = takeStopRequests()
  const stored = await storedSettings(databaseOf(args))
  const config = readConfig(args, undefined, () => stored)
  for (const notice of [...config.notices, ...warningsOf(config)]) console.error(notice)
  const tls = config.tls && readTls(config.tls)
  if (config.socket !== '') await removeDeadSocket(config.socket)
  const supervisor = openSupervisor(config.environment)
  const server = await start(config, admin => console.log(introduction(admin)), tls)
  if (config.socket !== '') chmodSync(config.socket, config.socketPerm)
  if (server.sandbox !== undefined) console.error(server.sandbox)
  stopping.meetSecond()
  const does = config.roles === 'worker' ? 'works on the jobs in' : 'serves'
  console.log(`\n  Filigree ${does} ${config.root}\n  at ${server.url}\n`)
  supervisor.ready(`Serves ${config.root}`)
  await stopping.first
  supervisor.stopping()
  await server.stop(stopping.second)
  // Left to end by itself the runtime gives signals back first, and a late one would end it.
  process.exit()
}

function introduction({ username, password }: MadeAdmin): string {
  const lines = ['', `  User:     ${username}`]
  if (password) lines.push(`  Password: ${password}`, '', '  The password is shown only this once: keep it.')
  return lines.join('\n')
}

function warningsOf(config: Config): string[] {
  const { rootFolder, previewFolder } = config
  const isServed = (path: string) => rootFolder !== undefined && liesIn(path, rootFolder)
  const warnings: [applies: boolean, sentence: string][] = [
    [
      config.followExternalSymlinks,
      'Links that lead out of a scope are followed: users reach what such links lead to, as far as this server does.',
    ],
    [
      previewFolder !== undefined && isServed(previewFolder),
      `The previews in ${previewFolder} lie in the served folder, where people without a right to a picture may see it small. Name another place with --cacheDir or --previewDir.`,
    ],
    [
      !isPostgres(config.database) && isServed(config.database),
      `The database ${config.database} lies in the served folder, where people may read or remove it. Name another place with --database.`,
    ],
  ]
  return warnings.filter(([applies]) => applies).map(([, sentence]) => sentence)
}

/** Whether a path, which need not exist yet, is really a folder or below it. */
function liesIn(path: string, folder: string): boolean {
  const way = relative(realPlace(folder), realPlace(path))
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The path with the links in it followed, as far as it exists. */
function realPlace(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPlace(parent), basename(path))
  }
}

/** @throws AppError `bad_request` for files that cannot be read, or are no certificate and its key */
function readTls(files: { cert: string; key: string }): TlsMaterial {
  try {
    const material = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') }
    createSecureContext(material)
    return material
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError('bad_request', `HTTPS cannot be offered with ${files.cert} and ${files.key}: ${reason}`)
  }
}

/** A server that was killed leaves its socket behind; one that somebody answers on, or another file, is left alone. */
async function removeDeadSocket(path: string): Promise<void> {
  const standing = lstatSync(path, { throwIfNoEntry: false })
  if (!standing?.isSocket()) return
  const answers = await new Promise<boolean>(resolve => {
    const probe = connect(path, () => resolve(true))
    probe.once('error', error => resolve((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED'))
    probe.once('connect', () => probe.destroy())
  })
  if (!answers) unlinkSync(path)
}
