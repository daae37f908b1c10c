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

/** Serves until a stop request, then drains running requests. A start in progress is completed first. */
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
  stopping.acceptSecond()
  const does = config.roles === 'worker' ? 'runs jobs in' : 'serves'
  console.log(`\n  Filigree ${does} ${config.root}\n  at ${server.url}\n`)
  supervisor.ready(`Serves ${config.root}`)
  await stopping.first
  supervisor.stopping()
  await server.stop(stopping.second)
  // Without this, the runtime would restore default signal handling first, and a late signal would kill the process.
  process.exit()
}

function introduction({ username, password }: MadeAdmin): string {
  const lines = ['', `  User:     ${username}`]
  if (password) lines.push(`  Password: ${password}`, '', '  The password is shown only once. Save it now.')
  return lines.join('\n')
}

function warningsOf(config: Config): string[] {
  const { rootFolder, previewFolder } = config
  const isServed = (path: string) => rootFolder !== undefined && liesIn(path, rootFolder)
  const warnings: [applies: boolean, sentence: string][] = [
    [
      config.followExternalSymlinks,
      'Symbolic links out of a scope are followed: users can reach every target that the server can.',
    ],
    [
      previewFolder !== undefined && isServed(previewFolder),
      `The previews in ${previewFolder} are inside the served folder, where users can see thumbnails of images that they may not open. Choose another folder with --cacheDir or --previewDir.`,
    ],
    [
      !isPostgres(config.database) && isServed(config.database),
      `The database ${config.database} is inside the served folder, where users can read or delete it. Choose another path with --database.`,
    ],
  ]
  return warnings.filter(([applies]) => applies).map(([, sentence]) => sentence)
}

/** Whether a path is a folder or inside it, with symbolic links resolved. The path need not exist. */
function liesIn(path: string, folder: string): boolean {
  const way = relative(realPlace(folder), realPlace(path))
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The path with symbolic links resolved, as far as it exists. */
function realPlace(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPlace(parent), basename(path))
  }
}

/** @throws AppError `bad_request` for unreadable files, or an invalid certificate or key */
function readTls(files: { cert: string; key: string }): TlsMaterial {
  try {
    const material = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') }
    createSecureContext(material)
    return material
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError('bad_request', `Cannot use ${files.cert} and ${files.key} for HTTPS: ${reason}`)
  }
}

/** Removes the socket of a server that was killed. A socket in use, or another file, is left alone. */
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
