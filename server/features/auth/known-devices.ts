import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import { deleteDevices, insertDevice, takeDevice } from '../factors/devices.store.ts'
import { deviceOf } from './client-info.ts'
import { valueInCookie } from './cookie.ts'
import { digestOf } from './flows.store.ts'

interface DeviceDeps {
  db: Db
  config: { baseURL: string }
}

/** Has the id and the secret of a remembered browser. Only the sign-in gets it. */
const DEVICE_COOKIE = 'flg_device'

const newPart = () => randomBytes(32).toString('base64url')

/** Remembers the browser of a sign-in: it needs no second factor for a while. */
export async function rememberDevice(
  deps: DeviceDeps,
  [request, reply]: [FastifyRequest, FastifyReply],
  userId: number,
): Promise<void> {
  const [id, secret] = [randomBytes(16).toString('base64url'), newPart()]
  const now = Date.now()
  const expires = now + LIMITS.knownDeviceTime
  const row = { id, user_id: userId, secret: digestOf(secret), created_at: now, used_at: now, expires_at: expires }
  await insertDevice(deps.db, { ...row, ...deviceOf(request) })
  sendCookie(deps, [request, reply], `${id}.${secret}`, expires)
}

/**
 * Whether the browser of a sign-in is remembered for its user. The cookie changes with each use; an old one was copied,
 * and the browser is forgotten.
 */
export async function isKnownDevice(
  deps: DeviceDeps,
  [request, reply]: [FastifyRequest, FastifyReply],
  userId: number,
): Promise<boolean> {
  const [id = '', secret = ''] = (valueInCookie(request.headers.cookie, DEVICE_COOKIE) ?? '').split('.')
  if (id === '' || secret === '') return false
  const next = newPart()
  const change = { from: digestOf(secret), to: digestOf(next), address: request.ip }
  const expires = await takeDevice(deps.db, { id, userId }, change)
  if (expires === undefined) {
    await deleteDevices(deps.db, userId, id)
    return false
  }
  sendCookie(deps, [request, reply], `${id}.${next}`, expires)
  return true
}

function sendCookie(
  { config }: DeviceDeps,
  [request, reply]: [FastifyRequest, FastifyReply],
  value: string,
  expires: number,
): void {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  const age = Math.floor((expires - Date.now()) / 1000)
  const path = `${config.baseURL}/api/login`
  reply.header(
    'Set-Cookie',
    `${DEVICE_COOKIE}=${value}; Path=${path}; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`,
  )
}
