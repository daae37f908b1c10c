import { fileURLToPath } from 'node:url'
import { ALL_SETTINGS } from '../../server/config/settings.ts'
import { HOST_REASONS, type HostReason } from '../../shared/api/diagnostics.ts'

/** The page that is written from the list of settings. */
export const CONFIGURATION_PAGE = fileURLToPath(new URL('../../docs/configuration.md', import.meta.url))

const INTRODUCTION = `# Configuration

<!-- Written by \`npm run docs:configuration\` from the list of settings; change that list, not this page. -->

How the server is started is said by flags, variables, a file, or \`filigree config set\`; some of it also in the interface,
under _Settings_, _Diagnostics_. What people may do and how things look is set in the interface, under _Settings_, or by
\`filigree config\` as well.

## Which one counts

The first of these that says something:

1. the flag: \`--port 9000\`
2. the variable: \`FILIGREE_PORT=9000\`; or \`FILIGREE_PORT_FILE=/run/secrets/port\`, the path of a file that holds the value,
   as every variable can be given. The older names, beginning with \`FB_\`, are taken, too.
3. the configuration file, which names settings as the flags do, in any case: \`{"port": 9000}\`
4. what the database keeps: from \`filigree config set --port 9000\`, or from the interface
5. the default

What the first three say is locked in the interface. What the database keeps counts from the next start; \`filigree config set\`
with nothing behind a flag, as in \`--imageProcessors=\`, takes it back.

What counts here, and where each of it comes from:

\`\`\`sh
filigree config check
\`\`\`

The configuration file is the one that \`--config\` names, or else the first of \`.filigree.json\`, \`.yaml\`, \`.yml\` and
\`.toml\` in the current folder, the home folder and \`/etc/filigree/\`; after those, in each place, \`.filebrowser.…\`. For
example \`.filigree.yaml\`:

\`\`\`yaml
root: /srv/files
database: /var/lib/filigree/filigree.db
port: 9000
baseURL: /files
\`\`\`

A file is checked, without a start, by:

\`\`\`sh
filigree config check .filigree.yaml
\`\`\`

A switch is on with its name alone and off with \`=false\`, as in \`--disableExec=false\`.

## Open settings

Administrators can change these in the interface, too.
`

const ON_THE_HOST = `## Settings of the host

These cannot be changed in the interface: whoever administers the instance is not meant to be master of its host.
`

const REASONS: Readonly<Record<HostReason, string>> = {
  place: 'Paths on the host.',
  way: 'How the server is reached and what it trusts.',
  key: 'Credentials for other services.',
  first: 'Used only when a new database is created.',
  power: 'What users can do on the host itself.',
  guard: 'Safeguards that also apply to administrators.',
}

/** The text of the page. */
export function configurationPage(): string {
  const open = tableOf(ALL_SETTINGS.filter(({ host }) => host === undefined))
  const others = HOST_REASONS.map(reason => {
    return `${REASONS[reason]}\n\n${tableOf(ALL_SETTINGS.filter(({ host }) => host === reason))}`
  })
  return [INTRODUCTION, open, ON_THE_HOST, ...others].join('\n')
}

function tableOf(settings: typeof ALL_SETTINGS): string {
  const rows = settings.map(({ flag, aliases = [], short, env, default: fallback, doc }) => {
    const flags = flag === undefined ? [] : [...(short ? [`-${short}`] : []), `--${flag}`]
    const others = [...aliases.map(alias => `--${alias}`), ...env.slice(1)].map(code)
    const also = others.length === 0 ? '' : ` Also: ${others.join(', ')}.`
    return [flags.map(code).join(', '), code(env[0] ?? ''), fallback === '' ? '' : code(fallback), `${doc}${also}`]
  })
  const head = ['Flag', 'Variable', 'Default', 'What it does']
  const lines = [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
  return `${lines.join('\n')}\n`
}

const code = (text: string) => `\`${text}\``
