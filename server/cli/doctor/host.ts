import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import sharp from 'sharp'
import type { Config } from '../../config.ts'
import { confinementLevel, describeSandbox } from '../../context.ts'
import { isPostgres, shownDatabase } from '../../db/address.ts'
import { demandSound, wasSetUp } from '../../db/open.ts'
import { AppError } from '../../errors.ts'
import { findSandbox } from '../../programs/sandbox.ts'
import type { Finding } from './finding.ts'

/** Bytes that should be free, and the share of the whole. */
const ENOUGH = { bytes: 1024 ** 3, share: 0.03 }
/** Folders that can be watched at once, as most distributions have it today. */
const ENOUGH_WATCHES = 65_536
const WATCHES = '/proc/sys/fs/inotify/max_user_watches'

/** Looks at this machine: what a server with these settings would find. */
export async function lookAtHost(config: Config): Promise<Finding[]> {
  return [
    lookAtFolder('files', config.root, '--root'),
    ...(await lookAtState(config)),
    lookAtConfinement(),
    ...lookAtWatches(),
    await lookAtPictures(),
    lookAtPrograms(config),
  ]
}

function lookAtFolder(about: string, folder: string, flag: string): Finding {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    const { bavail, blocks, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const seen = `${folder} can be written; ${(free / 1024 ** 3).toFixed(1)} GiB are free`
    const isScarce = free < ENOUGH.bytes || free < blocks * bsize * ENOUGH.share
    return { about, state: isScarce ? 'worth a look' : 'fine', seen }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const lines = [`Make it, give it to the account of the server (chown), or name another with ${flag}.`]
    return { about, state: 'wrong', seen: `${folder} cannot be written (${code})`, lines }
  }
}

async function lookAtState({ database }: Config): Promise<Finding[]> {
  const look = await lookAtDatabase(database)
  return isPostgres(database) ? [look] : [lookAtFolder('state', dirname(database), '--database'), look]
}

async function lookAtDatabase(database: string): Promise<Finding> {
  const about = 'database'
  try {
    const isSound = isPostgres(database) ? await wasSetUp(database) : demandSound(database) === 'sound'
    const seen = `${shownDatabase(database)} ${isSound ? 'is sound' : 'will be made by the first start'}`
    return { about, state: 'fine', seen }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const [seen = '', ...lines] = error.message.split('\n')
    return { about, state: 'wrong', seen, lines }
  }
}

function lookAtConfinement(): Finding {
  const about = 'confinement'
  if (confinementLevel() === 'handles') return { about, state: 'fine', seen: 'paths are confined by opened handles' }
  return { about, state: 'worth a look', seen: 'paths are confined by names: there is no /proc/self/fd here' }
}

/** Only Linux counts watches. */
function lookAtWatches(): Finding[] {
  const count = numberIn(WATCHES)
  if (count === undefined) return []
  const seen = `${count} folders can be watched at once`
  if (count >= ENOUGH_WATCHES) return [{ about: 'watching', state: 'fine', seen }]
  const line = `echo fs.inotify.max_user_watches=524288 > /etc/sysctl.d/60-filigree.conf && sysctl --system`
  return [{ about: 'watching', state: 'worth a look', seen, lines: [line] }]
}

function numberIn(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

async function lookAtPictures(): Promise<Finding> {
  const about = 'pictures'
  try {
    const blank = sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } })
    await blank.jpeg().toBuffer()
    return { about, state: 'fine', seen: 'previews can be made' }
  } catch (error) {
    const seen = `previews cannot be made: ${error instanceof Error ? error.message : String(error)}`
    return {
      about,
      state: 'wrong',
      seen,
      lines: ['npm install', 'or start with --disableThumbnails --disablePreviewResize'],
    }
  }
}

/** Runs a program in a sandbox, as the server would. */
function lookAtPrograms({ disableExec, execSandbox, environment, root }: Config): Finding {
  const about = 'programs'
  if (disableExec) return { about, state: 'fine', seen: 'no programs are run for users or hooks' }
  const sandbox = findSandbox(execSandbox, environment, root)
  const seen = describeSandbox(sandbox)
  if (sandbox.state === 'bubblewrap') return { about, state: 'fine', seen }
  const lines = ['apt-get install bubblewrap', 'or filigree config set --disableExec']
  return { about, state: sandbox.state === 'none' ? 'worth a look' : 'wrong', seen, lines }
}
