import { LEAST_DUPLICATE } from '../../../shared/api/jobs.ts'
import { AppError } from '../../errors.ts'
import { duplicatesBelow } from '../../features/jobs/find-duplicates.ts'
import type { Command } from '../command.ts'
import { printable } from '../print.ts'
import { JSON_FLAG, onFiles, pathIn } from './common.ts'

export const command: Command = {
  usage: '<folder>',
  summary: 'Lists files of the same content in a folder, those with the most bytes to gain first',
  flags: [{ flag: 'least', doc: 'Bytes of the smallest file considered; 1048576 unless given.' }, JSON_FLAG],
  words: { least: 1, most: 1 },
  async run(given) {
    const least = Number(given.flags.get('least') ?? LEAST_DUPLICATE)
    if (!Number.isSafeInteger(least) || least < 1)
      throw new AppError('bad_request', '--least must be a number of bytes.')
    const folder = pathIn(given.positionals[0] ?? '/')
    const tools = { signal: new AbortController().signal, progress() {} }
    const { groups } = await onFiles(given, own => duplicatesBelow(own, folder, least, tools))
    for (const group of groups) {
      const [{ size, sha256 } = { size: 0, sha256: '' }] = group
      const paths = group.map(({ path }) => path)
      if (given.flags.get('json') === 'true') console.log(JSON.stringify({ size, sha256, paths }))
      else console.log(`${size} bytes each\n${paths.map(path => `  ${printable(path)}`).join('\n')}`)
    }
  },
}
