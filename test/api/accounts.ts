import { type Answer, call, json, type Place, signIn } from './client.ts'
import { uniqueName } from './harness.ts'

/** The password of test accounts. */
export const GOOD_PASSWORD = 'copper-anvil-drifts-9'
export const OTHER_PASSWORD = 'velvet-ladder-sings-4'

const NOTHING = {
  admin: false,
  execute: false,
  create: false,
  rename: false,
  modify: false,
  delete: false,
  share: false,
  download: false,
}

/** A complete user as a form would send it. */
export const newUser = (username: string, fields: Record<string, unknown> = {}) => ({
  id: 0,
  username,
  password: GOOD_PASSWORD,
  scope: '.',
  locale: 'en',
  lockPassword: false,
  viewMode: 'list',
  singleClick: false,
  perm: { ...NOTHING, create: true, download: true },
  commands: [],
  sorting: { by: 'name', asc: false },
  rules: [],
  hideDotfiles: false,
  dateFormat: false,
  ...fields,
})

export const perm = (...names: (keyof typeof NOTHING)[]) => ({
  ...NOTHING,
  ...Object.fromEntries(names.map(name => [name, true])),
})

/** Sends a JSON body as clients of the wire do: without a content type. */
export const send = (place: Place, method: string, path: string, token: string | undefined, body?: unknown) =>
  call(place, path, {
    method,
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })

/** Calls about accounts, as one user. */
export interface Manager {
  token: string
  list(): Promise<Answer>
  get(id: number): Promise<Answer>
  create(data: unknown, more?: object): Promise<Answer>
  /** Creates a user, which must succeed. @returns the id */
  add(username: string, fields?: Record<string, unknown>): Promise<number>
  update(id: number, which: unknown, data: object, more?: object): Promise<Answer>
  remove(id: number, body?: unknown): Promise<Answer>
  settings(): Promise<Answer>
  /** Changes some settings and keeps the others. */
  change(fields: object): Promise<Answer>
}

export async function manager(place: Place, username?: string, password?: string): Promise<Manager> {
  const token = await signIn(place, username, password)
  const create = (data: unknown, more: object = {}) =>
    send(place, 'POST', '/api/users', token, { what: 'user', which: [], data, ...more })
  const settings = () => call(place, '/api/settings', { token })
  return {
    token,
    list: () => call(place, '/api/users', { token }),
    get: id => call(place, `/api/users/${id}`, { token }),
    create,
    async add(name, fields) {
      const answer = await create(newUser(name, fields))
      if (answer.status !== 201) throw new Error(`${name} was not created: ${answer.status} ${answer.text}`)
      return Number(answer.headers.get('location')?.split('/').pop())
    },
    update: (id, which, data, more = {}) =>
      send(place, 'PUT', `/api/users/${id}`, token, { what: 'user', which, data: { id, ...data }, ...more }),
    remove: (id, body) => send(place, 'DELETE', `/api/users/${id}`, token, body),
    settings,
    change: async fields => send(place, 'PUT', '/api/settings', token, { ...json(await settings()), ...fields }),
  }
}

/** A user for one test, and their calls. */
export async function newcomer(place: Place, admin: Manager, fields?: Record<string, unknown>) {
  const name = uniqueName('u')
  const id = await admin.add(name, fields)
  return { id, name, ...(await manager(place, name, GOOD_PASSWORD)) }
}
