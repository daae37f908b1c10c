import type { Command } from '../command.ts'
import { hostOf } from '../open.ts'
import { printable, printTable } from '../print.ts'

const HEADINGS = ['Slug', 'Label', 'Servers', 'Base', 'Groups', 'New accounts']

export const command: Command = {
  usage: '',
  summary: 'Lists the LDAP directories of the configuration',
  words: { least: 0, most: 0 },
  async run(given) {
    const { directories } = await hostOf(given)
    const rows = directories.map(({ slug, label, servers, base, groups, createUsers }) => [
      slug,
      printable(label),
      servers.map(({ host, port, tls }) => `${host}:${port} (${tls})`).join(', '),
      printable(base),
      groups,
      createUsers ? 'yes' : 'no',
    ])
    printTable(HEADINGS, rows)
  },
}
