import type { FilePath } from '../../../shared/path.ts'
import { asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Command } from '../command.ts'
import { printable } from '../print.ts'
import { JSON_FLAG, onFiles, pathIn } from './common.ts'

export const command: Command = {
  usage: '<path> …',
  summary: 'Reads files, or all files of folders, and compares them with their recorded checksums',
  flags: [JSON_FLAG],
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  async run(given) {
    const asJson = given.flags.get('json') === 'true'
    let [files, wrong] = [0, 0]
    const report = (path: FilePath, state: string) => {
      wrong += 1
      console.log(asJson ? JSON.stringify({ path, state }) : `${state}: ${printable(path)}`)
    }
    await onFiles(given, async own => {
      for (const word of given.positionals) {
        for await (const { path, state } of verified(own, pathIn(word))) {
          files += 1
          if (state !== 'same' && state !== 'new') report(path, state)
        }
      }
    })
    if (!asJson) console.log(`${files} files were read, ${wrong} are not what they were or cannot be read.`)
    if (wrong > 0) process.exitCode = 1
  },
}

/** Every file at a path with its verdict, or the code of an error. */
async function* verified(own: Files, top: FilePath): AsyncGenerator<{ path: FilePath; state: string }> {
  const { signal } = new AbortController()
  const stateOf = (path: FilePath) =>
    own.checksums.verify(path, signal).catch((thrown: unknown): string => asAppError(thrown).code)
  const entry = await own.info(top)
  if (entry.kind !== 'folder') return yield { path: top, state: await stateOf(top) }
  for await (const group of await own.walk(top)) {
    for (const { entry: found, skipped } of group) {
      if (skipped) yield { path: skipped.path, state: skipped.code }
      else if (found.kind === 'file' && !found.isLink) yield { path: found.path, state: await stateOf(found.path) }
    }
  }
}
