import type { Command } from '../command.ts'
import { ROOT_FLAG } from '../command.ts'
import { hostOf } from '../open.ts'
import { printFinding } from './finding.ts'
import { lookAtHost } from './host.ts'
import { lookThrough } from './way.ts'

export const command: Command = {
  usage: '',
  summary: 'Looks for what keeps a server from working well, and says what to change',
  flags: [ROOT_FLAG, { flag: 'url', doc: 'Address under which people reach it, to look through the proxy, too.' }],
  words: { least: 0, most: 0 },
  async run(given) {
    const url = given.flags.get('url')
    const findings = [...(await lookAtHost(await hostOf(given))), ...(url === undefined ? [] : await lookThrough(url))]
    for (const finding of findings) printFinding(finding)
    if (findings.some(({ state }) => state === 'wrong')) process.exitCode = 1
  },
}
