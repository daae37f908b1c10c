import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import type { Finding } from '../../../shared/api/diagnostics.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { quotedWord } from '../../sandbox/shell-split.ts'

/** Free space that suffices, in bytes and as a share of the disk. */
const ENOUGH = { bytes: 1024 ** 3, share: 0.03 }
/** inotify watches that suffice; most distributions allow as many today. */
const ENOUGH_WATCHES = 65_536
const WATCHES = '/proc/sys/fs/inotify/max_user_watches'

/** Facts about this machine that need no probing. */
export interface HostFacts {
  /** Folders of the host that must exist and be writable. */
  folders: readonly string[]
  /** The finding about the database. */
  database: Finding
  /** The findings about remote stores, where they were checked. */
  stores?: readonly Finding[]
  confinement: 'handles' | 'names'
  /** What keeps the server from calling the kernel directly; `undefined` if it does. */
  kernelMissing: string | undefined
  /** `undefined` where programs are disabled. */
  sandbox: Sandbox | undefined
  /** Whether office documents can be shown as pages. */
  documents: 'works' | 'off' | 'no_program' | 'no_sandbox'
  /** Whether video thumbnails can be made; `undefined` where files are stored remotely, out of reach of a program. */
  videos: boolean | undefined
}

/** Checks this machine with the rights of the server's own account, not of a user. */
export async function checkHost({
  folders,
  database,
  stores = [],
  confinement,
  kernelMissing,
  sandbox,
  videos,
  documents,
}: HostFacts): Promise<Finding[]> {
  return [
    ...folders.map(checkFolder),
    database,
    ...stores,
    { code: confinement === 'handles' ? 'heldByHandles' : 'heldByNames' },
    kernelMissing === undefined ? { code: 'kernelCalled' } : { code: 'kernelLeft', what: kernelMissing },
    ...checkWatches(),
    await checkImages(),
    ...checkVideoTools(videos),
    ...checkDocumentTools(documents),
    programsBy(sandbox),
  ]
}

function checkVideoTools(videos: boolean | undefined): Finding[] {
  if (videos === undefined) return []
  return [videos ? { code: 'videosMade' } : { code: 'videosMissing', lines: ['apt-get install ffmpeg'] }]
}

/** Debian's packages, without a desktop. */
const OFFICE = ['writer', 'calc', 'impress', 'draw'].map(part => `libreoffice-${part}-nogui`).join(' ')

function checkDocumentTools(documents: HostFacts['documents']): Finding[] {
  if (documents === 'off') return []
  if (documents === 'works') return [{ code: 'documentsShown' }]
  if (documents === 'no_sandbox') return [{ code: 'documentsUnboxed', lines: ['apt-get install bubblewrap'] }]
  return [{ code: 'documentsMissing', lines: [`apt-get install ${OFFICE}`] }]
}

/** Whether the server can write to a folder, and whether its disk has room. */
export function checkFolder(folder: string): Finding {
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

/** Only Linux limits watches. */
function checkWatches(): Finding[] {
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

async function checkImages(): Promise<Finding> {
  try {
    // Loading it takes time and memory that no server start should spend.
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
