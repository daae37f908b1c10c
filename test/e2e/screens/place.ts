import { GOOD_PASSWORD, manager, newUser, perm } from '../../api/accounts.ts'
import { signIn } from '../../api/client.ts'
import { startServer } from '../../api/harness.ts'
import { linkTo } from '../../api/links-client.ts'
import { makeSample } from './sample.ts'
import type { Stage } from './stage.ts'

/** A real server with the sample files, under a fake host name. */
export interface Place {
  /** The URL with the fake host name. */
  url: string
  /** The real origin. */
  origin: string
  /** Path of the served folder. */
  root: string
  /** Starts a session of the owner. @returns its token */
  signIn(): Promise<string>
  links: Stage['links']
  browserArgs: string[]
  stop(): Promise<void>
}

const HOST = 'files.example.org'
const OWNER = 'mira'

export async function startPlace(): Promise<Place> {
  const server = await startServer({
    args: ['--username', OWNER, '--disableExec=false', '--execSandbox=none'],
    prepare: ({ root }) => makeSample(root),
  })
  const admin = await manager({ ...server, adminName: OWNER })
  for (const user of PEOPLE) await admin.create(user)
  await admin.change(SETTINGS)
  await admin.update(1, ['commands'], { commands: ['ls', 'wc', 'cat', 'du'] })
  const link = async (path: string, body = {}) => `${url}/share/${(await linkTo(server, admin.token, path, body)).hash}`
  const url = `http://${HOST}`
  const links = {
    folder: await link('/Contracts/'),
    photos: await link('/Coast walk/'),
    image: await link('/Harbour at dawn.jpg', { expires: '6', unit: 'days' }),
    locked: await link('/Boat house/', { password: 'slates and copper', expires: '30', unit: 'days' }),
  }
  await link('/Boat house/')
  return {
    url,
    origin: server.url,
    root: server.root,
    signIn: () => signIn(server, OWNER),
    links,
    browserArgs: [
      '--disable-gpu',
      `--host-resolver-rules=MAP ${HOST}:80 127.0.0.1:${server.port}`,
      `--unsafely-treat-insecure-origin-as-secure=${url}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    stop: () => server.stop(),
  }
}

const PEOPLE = [
  newUser('jonas', { scope: '/Boat house', perm: perm('create', 'rename', 'modify', 'delete', 'download') }),
  newUser('tilly', { scope: '/Recipes', perm: perm('download') }),
  newUser('workshop-tablet', { scope: '/Workshop', perm: perm('create', 'download'), lockPassword: true }),
  newUser('aylin', { scope: '.', perm: perm('create', 'rename', 'modify', 'delete', 'download', 'share') }),
].map(user => ({ ...user, password: GOOD_PASSWORD }))

const SETTINGS = {
  signup: true,
  rules: [
    { allow: false, path: '/Private', regex: false, regexp: { raw: '' } },
    { allow: true, path: '/Private/Press', regex: false, regexp: { raw: '' } },
    { allow: false, path: '', regex: true, regexp: { raw: '\\.(bak|tmp)$' } },
  ],
  branding: { name: '', disableExternal: false, theme: 'auto', files: '', color: '', disableUsedPercentage: false },
}
