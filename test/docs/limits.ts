import { fileURLToPath } from 'node:url'
import { EVERYWHERE } from '../../server/http/headers.ts'
import { LIMIT_TABLE } from '../../server/limits.ts'
import { STORED_CONTENT_POLICY } from '../../server/responses/content-headers.ts'

/** The page that is written from the tables of limits and headers. */
export const LIMITS_PAGE = fileURLToPath(new URL('../../docs/security/limits.md', import.meta.url))

const INTRODUCTION = `# Headers, limits and time-outs

<!-- Written by \`npm run docs:configuration\` from server/limits.ts and server/http/headers.ts; change those, not this page. -->

What a stranger or a user can make the server do has an end. What a host may choose is a setting
([configuration](../configuration.md)): pixels of a picture, previews at once, the cost of a password.
`

/** Why each header is sent. */
const REASONS: Readonly<Record<keyof typeof EVERYWHERE, string>> = {
  'Content-Security-Policy':
    'Scripts and styles from our own files only, texts become no markup unseen, no frame around us',
  'X-Content-Type-Options': 'A type is what it is said to be',
  'Referrer-Policy': 'No address of ours is told to others',
  'Cross-Origin-Opener-Policy': 'A window that opened ours cannot reach into it',
  'Cross-Origin-Resource-Policy': 'No page of others loads anything of ours',
  'Permissions-Policy': 'No camera, microphone, place or payment',
  'Cache-Control': 'Nothing is kept, but for files of the interface and what is asked about anew each time',
}

/** The text of the page. */
export function limitsPage(): string {
  const headers = Object.entries(EVERYWHERE).map(([name, value]) => [
    code(name),
    code(value),
    REASONS[name as keyof typeof EVERYWHERE],
  ])
  const stored = [
    code('Content-Security-Policy'),
    code(STORED_CONTENT_POLICY),
    'Stored content runs nothing, whatever it is',
  ]
  const limits = Object.values(LIMIT_TABLE).map(({ what, value, unit, beyond }) => [what, amount(value, unit), beyond])
  return [
    INTRODUCTION,
    '## Limits and time-outs\n',
    table(['What is limited', 'To', 'Beyond it'], limits),
    '## Headers of every answer\n',
    table(['Header', 'Value', 'Why'], headers),
    'Answers with stored content have this instead, and are saved instead of shown unless they are asked for otherwise:\n',
    table(['Header', 'Value', 'Why'], [stored]),
    'Over HTTPS the session’s cookie is `Secure`; it is `HttpOnly` and `SameSite=Strict` always, and good for reading only.',
  ]
    .join('\n')
    .concat('\n')
}

const table = (head: string[], rows: readonly string[][]) =>
  `${[head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')}\n`

const code = (text: string) => `\`${text}\``

const UNITS = {
  bytes: [
    ['GiB', 1024 ** 3],
    ['MiB', 1024 ** 2],
    ['KiB', 1024],
    ['bytes', 1],
  ],
  ms: [
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
    ['ms', 1],
  ],
  s: [
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ],
  count: [['', 1]],
} as const

/** In the largest unit that needs no fraction. */
function amount(value: number, unit: keyof typeof UNITS): string {
  const [name, size] = UNITS[unit].find(([, each]) => value >= each && value % each === 0) ?? ['', 1]
  return `${value / size} ${name}`.trimEnd()
}
