import type { Command } from '../command.ts'
import { pauseLinks } from './pausing.ts'

export const command: Command = {
  usage: '<hash>...',
  summary: 'Shuts share links for visitors until they are resumed',
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  changes: true,
  async run(given) {
    await pauseLinks(given, true)
    console.log('links paused')
  },
}
