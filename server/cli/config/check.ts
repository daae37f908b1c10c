import { resolveConfig } from '../../config.ts'
import type { Command } from '../command.ts'
import { readDataFile } from '../data-file.ts'
import { hostOf } from '../open.ts'
import { DOCUMENT_NAMES, fromDocument } from './document.ts'

export const command: Command = {
  usage: '[file]',
  summary: 'Checks a file of settings, or those a server would start with here; says what has no effect',
  words: { least: 0, most: 1 },
  async run(given) {
    const [file] = given.positionals
    const notices = file === undefined ? hostOf(given).notices : noticesOf(file)
    for (const notice of notices) console.log(notice)
    console.log(`${file ?? 'What is set'} can be used.`)
  },
}

/** Either what `config export` writes, or what a server reads at its start. @throws AppError naming what makes no sense */
function noticesOf(file: string): readonly string[] {
  const content = /\.toml$/i.test(file) ? undefined : readDataFile(file, DOCUMENT_NAMES)
  const isDocument = typeof content === 'object' && content !== null && 'settings' in content
  if (!isDocument) return resolveConfig(new Map([['config', file]]), {}).notices
  fromDocument(content)
  return []
}
