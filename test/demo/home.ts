import { GOOD_PASSWORD, manager, newUser, perm, send } from '../api/accounts.ts'
import { call, encode, json } from '../api/client.ts'
import type { Instance } from '../api/harness.ts'
import { linkTo } from '../api/links-client.ts'

/** The public account of the demo. */
export const DEMO = { name: 'demo', password: 'a-walk-along-the-coast' }

const STARRED = ['/Boat house', '/Coast walk', '/Harbour at dawn.jpg', '/Budget 2026.xlsx']
const TAGS = [
  { name: 'Summer', colour: 'green', paths: ['/Coast walk', '/Harbour at dawn.jpg', '/Recipes/Plum cake.md'] },
  { name: 'To be paid', colour: 'red', paths: ['/Invoices/2026-09 Timber.pdf', '/Invoices/2026-08 Slates.pdf'] },
]
/** A text, and what is changed in it one time after the other: each change leaves a version. */
const REVISED = {
  path: '/Boat house/Notes.md',
  changes: [
    ['- [ ] door', '- [x] door'],
    ['- [ ] oil', '- [x] oil'],
  ],
} as const
const PEOPLE = [
  newUser('jonas', { scope: '/Boat house', perm: perm('create', 'rename', 'modify', 'delete', 'download') }),
  newUser('tilly', { scope: '/Recipes', perm: perm('download') }),
]

/** Adds users, stars, tags, versions and share links to a server with the sample files. @returns the URL of a share link */
export async function furnish(url: string): Promise<string> {
  const place: Instance & { url: string } = {
    ...addressOf(url),
    root: '',
    adminName: DEMO.name,
    adminPassword: DEMO.password,
  }
  const admin = await manager(place)
  const { token } = admin
  for (const person of PEOPLE) await admin.create({ ...person, password: GOOD_PASSWORD })
  for (const path of STARRED) demand(await call(place, `/api/stars${encode(path)}`, { method: 'PUT', token }))
  for (const { name, colour, paths } of TAGS) {
    const tag = json(demand(await send(place, 'POST', '/api/tags', token, { name, colour, shared: true })))
    demand(await send(place, 'PUT', '/api/tagged', token, { paths, add: [tag.id], remove: [] }))
  }
  await revise(place, token)
  await linkTo(place, token, '/Contracts/', { password: 'slates and copper', expires: '30', unit: 'days' })
  const { hash } = await linkTo(place, token, '/Coast walk/')
  return `${url}/share/${hash}`
}

async function revise(place: Instance, token: string): Promise<void> {
  const { path, changes } = REVISED
  let { text } = demand(await call(place, `/api/raw${encode(path)}`, { token }))
  for (const [before, after] of changes) {
    text = text.replace(before, after)
    demand(await call(place, `/api/resources${encode(path)}`, { method: 'PUT', token, body: text }))
  }
}

function addressOf(url: string): Pick<Instance, 'url' | 'host' | 'port' | 'base'> {
  const { hostname, port } = new URL(url)
  return { url, host: hostname, port: Number(port), base: '' }
}

function demand<Answer extends { status: number; text: string }>(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`The demo could not be set up: ${answer.status} ${answer.text}`)
  return answer
}
