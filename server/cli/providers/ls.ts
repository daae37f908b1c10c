import type { Command } from '../command.ts'
import { hostOf } from '../open.ts'
import { printable, printTable } from '../print.ts'

const HEADINGS = ['Slug', 'Label', 'Issuer', 'Client', 'Secret', 'New accounts']

export const command: Command = {
  usage: '',
  summary: 'Lists the OpenID providers of the configuration',
  words: { least: 0, most: 0 },
  async run(given) {
    const { providers } = await hostOf(given)
    const rows = providers.map(({ slug, label, issuer, clientId, clientAuth, createUsers }) => [
      slug,
      ...[label, issuer, clientId].map(printable),
      clientAuth,
      createUsers ? 'yes' : 'no',
    ])
    printTable(HEADINGS, rows)
  },
}
