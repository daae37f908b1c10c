import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CHEAP, EXECUTABLE } from '../api/harness.ts'

/** The folder of the project, without a trailing slash. */
export const REPO = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** A server succeeds when it listens, and is ended then. */
const SERVES = /(?:^|^filigree\/bin\/| )filigree --|\bnpm start\b/m
const LISTENS = /^ +at http:/m

/** The blocks of commands in a document, verbatim. */
export const commandsIn = (guide: string): string[] => blocksIn(guide, 'sh')

/** The blocks of a document in one language, verbatim but for the indentation of a list. */
export function blocksIn(guide: string, language: string): string[] {
  const text = readFileSync(join(REPO, guide), 'utf8')
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```/gm)].flatMap(([, indent = '', kind, block = '']) =>
    kind === language ? [block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')] : [],
  )
}

/** Placeholders of a guide, and their values here. */
export type Instead = readonly (readonly [place: string, here: string])[]

/** Verbatim commands with the placeholders replaced. */
export const layOut = (commands: string, instead: Instead): string =>
  instead.reduce((text, [place, here]) => text.replaceAll(place, here), commands)

/**
 * Runs commands in a folder, which is their home and comes first in the search path.
 * @param programs further search path; this project's programs by default
 * @returns `fine`, or their output
 */
export function follow(
  home: string,
  commands: string,
  { env = {}, programs = [dirname(EXECUTABLE), dirname(process.execPath)] }: FollowOptions = {},
): Promise<string> {
  const path = [home, ...programs, process.env.PATH].join(delimiter)
  const quiet = { npm_config_update_notifier: 'false' }
  const child = spawn('sh', ['-ec', commands], {
    cwd: home,
    env: { ...CHEAP, ...quiet, FILIGREE_PORT: '0', ...env, PATH: path, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const serves = SERVES.test(commands)
  let said = ''
  let listened = false
  const hear = (chunk: Buffer) => {
    said += chunk
    if (!serves || listened || !LISTENS.test(said)) return
    listened = true
    // With all child processes.
    process.kill(-(child.pid ?? 0), 'SIGTERM')
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  return new Promise(resolve => {
    child.once('close', code => resolve((serves ? listened : code === 0) ? 'fine' : said))
  })
}

export interface FollowOptions {
  env?: Readonly<Record<string, string>>
  programs?: readonly string[]
}
