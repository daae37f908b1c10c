import type { MessageKey } from '../../lib/i18n/index.ts'

type StepKey = Extract<MessageKey, `connect.step.${string}`>

/** What the steps are filled with. */
export interface Target {
  /** The address of WebDAV, with a slash at its end. */
  url: string
  username: string
}

export interface Step {
  key: StepKey
  /** Addresses or commands to copy. */
  lines?: (target: Target) => readonly string[]
}

export interface Program {
  id: string
  /** Its own name, in every language. */
  name: string
  /** Found in the `User-Agent` of systems it belongs to. */
  system?: RegExp
  steps: readonly Step[]
  /** Whether the address is shown as a QR code. */
  hasCode?: boolean
}

const ENTER: Step = { key: 'connect.step.enter' }
const SIGN_IN: Step = { key: 'connect.step.signIn' }

/** Quotes a word for a POSIX shell, if it needs that. */
const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)

/** The address in the scheme of GNOME, then that of KDE. */
const forDesktops = ({ url }: Target) => [url.replace(/^http/, 'dav'), url.replace(/^http/, 'webdav')]

/** Mounts the files below `/mnt`. Linux 6.16 and later list nothing with another size of the buffer, whatever the server. */
const davfsCommands = ({ url }: Target) => [
  'echo buf_size 64 | sudo tee -a /etc/davfs2/davfs2.conf',
  'sudo mkdir -p /mnt/files',
  `sudo mount -t davfs ${quoted(url)} /mnt/files`,
]

const rcloneCommands = ({ url }: Target) => [
  `rclone config create files webdav url=${quoted(url)} vendor=owncloud user=any pass=TOKEN --obscure`,
  'rclone ls files:',
]

/** A line for the command prompt of Windows, where a name with spaces stands in double quotes. */
const netUse = ({ url, username }: Target) => {
  const name = /^[\w.@-]+$/.test(username) ? username : 'any'
  return [`net use * ${url} /user:${name} * /persistent:yes`]
}

/** Programs and the steps to connect them. iOS comes before macOS, whose name its browsers give as well. */
export const PROGRAMS: readonly Program[] = [
  {
    id: 'windows',
    name: 'Windows Explorer',
    system: /Windows/,
    steps: [
      { key: 'connect.step.windows' },
      { key: 'connect.step.windowsOther' },
      SIGN_IN,
      { key: 'connect.step.windowsCommand', lines: netUse },
      { key: 'connect.step.windowsLimit' },
    ],
  },
  {
    id: 'ios',
    name: 'iPhone, iPad',
    system: /iPhone|iPad/,
    steps: [{ key: 'connect.step.ios' }, ENTER, SIGN_IN],
    hasCode: true,
  },
  { id: 'macos', name: 'macOS Finder', system: /Macintosh/, steps: [{ key: 'connect.step.mac' }, ENTER, SIGN_IN] },
  {
    id: 'android',
    name: 'Android',
    system: /Android/,
    steps: [{ key: 'connect.step.android' }, ENTER, SIGN_IN],
    hasCode: true,
  },
  {
    id: 'desktops',
    name: 'GNOME, KDE',
    system: /Linux|BSD/,
    steps: [{ key: 'connect.step.desktops', lines: forDesktops }, SIGN_IN],
  },
  {
    id: 'davfs2',
    name: 'davfs2',
    steps: [{ key: 'connect.step.davfsRun', lines: davfsCommands }],
  },
  { id: 'rclone', name: 'rclone', steps: [{ key: 'connect.step.rclone', lines: rcloneCommands }] },
  { id: 'cyberduck', name: 'Cyberduck', steps: [{ key: 'connect.step.cyberduck' }, ENTER, SIGN_IN] },
]

/** The program of a browser's system. */
export const programFor = (agent: string): Program | undefined => PROGRAMS.find(({ system }) => system?.test(agent))
