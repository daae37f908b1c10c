import { chmodSync, lstatSync, readFileSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { createSecureContext } from 'node:tls'
import { type Config, readConfig } from '../config.ts'
import { AppError } from '../errors.ts'
import type { TlsMaterial } from '../http/secure.ts'
import { type MadeAdmin, start } from '../main.ts'
import { storedSettings } from './stored.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Serves until a signal comes, then lets running requests end. */
export async function serve(args: readonly string[]): Promise<void> {
  const config = readConfig(args, undefined, storedSettings)
  for (const notice of [...config.notices, ...warningsOf(config)]) console.error(notice)
  const tls = config.tls && readTls(config.tls)
  if (config.socket !== '') await removeDeadSocket(config.socket)
  const server = await start(config, admin => console.log(introduction(admin)), tls)
  if (config.socket !== '') chmodSync(config.socket, config.socketPerm)
  const stopped = new Promise<void>(stop => {
    for (const signal of SIGNALS) process.once(signal, () => stop())
  })
  console.log(`\n  Filigree serves ${config.root}\n  at ${server.url}\n`)
  await stopped
  await server.stop()
}

function introduction({ username, password }: MadeAdmin): string {
  const lines = ['', `  User:     ${username}`]
  if (password) lines.push(`  Password: ${password}`, '', '  The password is shown only this once: keep it.')
  return lines.join('\n')
}

function warningsOf(config: Config): string[] {
  if (config.disableExec) return []
  return [
    'Programs may be run: hooks, and commands of users who are allowed to. They run with the rights of this server.',
  ]
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
