import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DECODERS } from '../../server/archives/codecs/test-decoders.ts'

/** Every format: a spelling of `algo`, the extension, the media type. */
export const FORMATS: readonly [algo: string, extension: string, type: string][] = [
  ['zip', '.zip', 'application/zip'],
  ['tar', '.tar', 'application/octet-stream'],
  ['targz', '.tar.gz', 'application/x-gzip'],
  ['tar.gz', '.tar.gz', 'application/x-gzip'],
  ['tarbz2', '.tar.bz2', 'application/octet-stream'],
  ['tar.xz', '.tar.xz', 'application/octet-stream'],
  ['tarlz4', '.tar.lz4', 'application/octet-stream'],
  ['tarsz', '.tar.sz', 'application/octet-stream'],
  ['tarzst', '.tar.zst', 'application/octet-stream'],
  ['tarbr', '.tar.br', 'application/octet-stream'],
]

const OUTER: Readonly<Record<string, (packed: Buffer) => Buffer>> = {
  '.tar': packed => packed,
  '.tar.gz': DECODERS.gzip,
  '.tar.bz2': DECODERS.bzip2,
  '.tar.xz': DECODERS.xz,
  '.tar.lz4': DECODERS.lz4,
  '.tar.sz': DECODERS.snappy,
  '.tar.zst': DECODERS.zstd,
  '.tar.br': DECODERS.brotli,
}

/** Unpacks with third-party programs: names (folders end with a slash) and contents. */
export async function unpack(archive: Buffer, extension: string): Promise<Record<string, string>> {
  return inFolder(archive, extension, place => contentsOf(place, ''))
}

/** Modes and times (seconds since the epoch) of an archive's extracted entries. */
export async function listing(
  archive: Buffer,
  extension: string,
): Promise<Map<string, { mode: number; modified: number }>> {
  return inFolder(archive, extension, async place => {
    const names = Object.keys(await contentsOf(place, ''))
    const facts = names.map(async name => {
      const { mode, mtimeMs } = await stat(join(place, name))
      return [name, { mode: mode & 0o777, modified: mtimeMs / 1000 }] as const
    })
    return new Map(await Promise.all(facts))
  })
}

async function inFolder<T>(archive: Buffer, extension: string, act: (place: string) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), 'unpack-'))
  const place = join(home, 'out')
  try {
    await writeFile(join(home, 'archive'), OUTER[extension]?.(archive) ?? archive)
    const [program = '', ...args] =
      extension === '.zip' ? unzipping(home, place) : ['tar', '-xpf', join(home, 'archive')]
    execFileSync('mkdir', [place])
    execFileSync(program, args, { cwd: place, stdio: 'pipe' })
    return await act(place)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** Info-ZIP where it is installed; it refuses a zip without any entry. */
function unzipping(home: string, place: string): string[] {
  const archive = join(home, 'archive')
  const empty = spawnSync('python3', ['-c', `import zipfile;print(len(zipfile.ZipFile('${archive}').namelist()))`])
  if (empty.stdout.toString().trim() === '0') return ['true']
  if (spawnSync('unzip', ['-v']).error) return ['python3', '-m', 'zipfile', '-e', archive, place]
  execFileSync('unzip', ['-tqq', archive], { stdio: 'pipe' })
  return ['unzip', '-q', archive]
}

async function contentsOf(place: string, prefix: string): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for (const entry of await readdir(join(place, prefix), { withFileTypes: true })) {
    const name = prefix + entry.name
    if (!entry.isDirectory()) contents[name] = await readFile(join(place, name), 'utf8')
    else Object.assign(contents, { [`${name}/`]: '' }, await contentsOf(place, `${name}/`))
  }
  return contents
}
