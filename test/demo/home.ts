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
const PEOPLE = [
  newUser('jonas', { scope: '/Boat house', perm: perm('create', 'rename', 'modify', 'delete', 'download') }),
  newUser('tilly', { scope: '/Recipes', perm: perm('download') }),
]

/** Adds users, stars, tags and share links to a server with the sample files. @returns the URL of a share link */
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
  await linkTo(place, token, '/Contracts/', { password: 'slates and copper', expires: '30', unit: 'days' })
  const { hash } = await linkTo(place, token, '/Coast walk/')
  return `${url}/share/${hash}`
}

function addressOf(url: string): Pick<Instance, 'url' | 'host' | 'port' | 'base'> {
  const { hostname, port } = new URL(url)
  return { url, host: hostname, port: Number(port), base: '' }
}

function demand<Answer extends { status: number; text: string }>(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`The demo could not be set up: ${answer.status} ${answer.text}`)
  return answer
}
