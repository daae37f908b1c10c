import { encodeManifest, formatComment, formatLine } from '../../features/manifests/format.ts'
import { sumsBelow } from '../../features/manifests/manifest.ts'
import type { Command } from '../command.ts'
import { onFiles, pathIn } from './common.ts'

export const command: Command = {
  usage: '<folder>',
  summary: 'Prints the SHA-256 checksums of all files in a folder, in the format of sha256sum',
  flags: [{ flag: 'fresh', boolean: true, doc: 'Read every file, also where its checksum is known.' }],
  words: { least: 1, most: 1 },
  run: given =>
    onFiles(given, async own => {
      const { signal } = new AbortController()
      const fresh = given.flags.get('fresh') === 'true'
      const entry = await own.info(pathIn(given.positionals[0] ?? '/'))
      for await (const file of await sumsBelow(own, entry, { signal, fresh })) {
        const line = 'sum' in file ? formatLine(file) : formatComment(`${file.code}: ${file.unread}`)
        process.stdout.write(Buffer.from(encodeManifest(line)))
      }
    }),
}
