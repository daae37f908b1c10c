import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GOOD_PASSWORD, type Manager, manager, newUser, perm, send } from '../api/accounts.ts'
import { type Answer, call, encode, json, type Place } from '../api/client.ts'
import { linkTo } from '../api/links-client.ts'

/** Gzipped databases of earlier versions, each with a file `.json` of what was made in it. */
export const DATABASES = join(import.meta.dirname, 'databases')
export const STARRED = '/Letters/may.txt'
export const LINK_PASSWORD = 'slates and copper'

/** What is not known before it is made. */
export interface Made {
  /** The hash of a link to a file, and of one to a folder, with a password. */
  links: { file: string; folder: string }
  /** An API token that may read. */
  token: string
  group: string
}

/** The files that a kept database is about. They are no part of it; each test makes them again. */
export function makeFiles(root: string): void {
  for (const folder of ['Letters', 'ann']) mkdirSync(join(root, folder))
  writeFileSync(join(root, 'Letters/may.txt'), 'Dear council,\n')
  writeFileSync(join(root, 'ann/plan.txt'), 'A plan.\n')
}

/** Fills a new database by the API, with a part of everything that has a table and needs no other server. */
export async function fill(place: Place): Promise<Made> {
  const admin = await manager(place)
  await admin.create({ ...newUser('ann', { scope: '/ann', perm: perm('download') }), password: GOOD_PASSWORD })
  const group = json(accept(await send(place, 'POST', '/api/groups', admin.token, { name: 'council', perm: {} }))).id
  accept(await call(place, `/api/stars${encode(STARRED)}`, { method: 'PUT', token: admin.token }))
  await tag(place, admin)
  const file = await linkTo(place, admin.token, '/Letters/may.txt')
  const folder = await linkTo(place, admin.token, '/Letters/', { password: LINK_PASSWORD })
  const wanted = { label: 'reader', scopes: ['read'], current_password: place.adminPassword }
  const { token } = json(accept(await send(place, 'POST', '/api/tokens', admin.token, wanted)))
  return { links: { file: file.hash, folder: folder.hash }, token, group }
}

async function tag(place: Place, { token }: Manager): Promise<void> {
  const { id } = json(
    accept(await send(place, 'POST', '/api/tags', token, { name: 'Spring', colour: 'green', shared: true })),
  )
  accept(await send(place, 'PUT', '/api/tagged', token, { paths: [STARRED], add: [id], remove: [] }))
}

function accept(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}
