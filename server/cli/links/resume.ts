import type { Command } from '../command.ts'
import { pauseLinks } from './pausing.ts'

export const command: Command = {
  usage: '<hash>...',
  summary: 'Opens paused share links again',
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  changes: true,
  async run(given) {
    await pauseLinks(given, false)
    console.log('links resumed')
  },
}
