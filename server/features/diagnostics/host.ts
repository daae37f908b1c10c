import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import type { Finding } from '../../../shared/api/diagnostics.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { quotedWord } from '../../sandbox/shell-split.ts'

/** Bytes that should be free, and the share of the whole. */
const ENOUGH = { bytes: 1024 ** 3, share: 0.03 }
/** Folders that can be watched at once, as most distributions have it today. */
const ENOUGH_WATCHES = 65_536
const WATCHES = '/proc/sys/fs/inotify/max_user_watches'

/** What is known of this machine without a look. */
export interface HostFacts {
  /** Folders of the host that must be there, and writable. */
  folders: readonly string[]
  /** What was found of the database. */
  database: Finding
  /** What was found of stores that lie elsewhere, where they were looked at. */
  stores?: readonly Finding[]
  confinement: 'handles' | 'names'
  /** Nothing where no programs are run. */
  sandbox: Sandbox | undefined
  /** Whether stills of films can be made; nothing where files lie elsewhere, and no program can look at them. */
  films: boolean | undefined
}

/** Looks at this machine with the eyes of the server's own account, not of a user. */
export async function lookAtHost({
  folders,
  database,
  stores = [],
  confinement,
  sandbox,
  films,
}: HostFacts): Promise<Finding[]> {
  return [
    ...folders.map(lookAtFolder),
    database,
    ...stores,
    { code: confinement === 'handles' ? 'heldByHandles' : 'heldByNames' },
    ...lookAtWatches(),
    await lookAtPictures(),
    ...lookAtFilms(films),
    programsBy(sandbox),
  ]
}

function lookAtFilms(films: boolean | undefined): Finding[] {
  if (films === undefined) return []
  return [films ? { code: 'filmsMade' } : { code: 'filmsMissing', lines: ['apt-get install ffmpeg'] }]
}

function lookAtFolder(folder: string): Finding {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    const { bavail, blocks, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const isScarce = free < ENOUGH.bytes || free < blocks * bsize * ENOUGH.share
    return { code: isScarce ? 'folderFull' : 'folderFree', what: folder, amount: free }
  } catch {
    const word = quotedWord(folder)
    return {
      code: 'folderClosed',
      what: folder,
      lines: [`mkdir -p ${word} && chown ${process.getuid?.() ?? ''} ${word}`],
    }
  }
}

/** Only Linux counts watches. */
function lookAtWatches(): Finding[] {
  const amount = numberIn(WATCHES)
  if (amount === undefined) return []
  if (amount >= ENOUGH_WATCHES) return [{ code: 'watchesMany', amount }]
  const line = 'echo fs.inotify.max_user_watches=524288 > /etc/sysctl.d/60-filigree.conf && sysctl --system'
  return [{ code: 'watchesFew', amount, lines: [line] }]
}

function numberIn(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

async function lookAtPictures(): Promise<Finding> {
  try {
    // It takes time and memory to load, which no start of a server should.
    const { default: sharp } = await import('sharp')
    const blank = sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } })
    await blank.jpeg().toBuffer()
    return { code: 'picturesMade' }
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    return { code: 'picturesFail', what, lines: ['npm install', 'filigree --disableThumbnails --disablePreviewResize'] }
  }
}

function programsBy(sandbox: Sandbox | undefined): Finding {
  if (!sandbox) return { code: 'programsOff' }
  if (sandbox.state === 'bubblewrap') return { code: 'programsBoxed' }
  const lines = ['apt-get install bubblewrap', 'filigree config set --disableExec']
  return sandbox.state === 'none'
    ? { code: 'programsFree', lines }
    : { code: 'programsRefused', what: sandbox.reason, lines }
}
