import { get as getPlain, type RequestOptions } from 'node:http'
import { get as getSecure } from 'node:https'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Command } from './command.ts'
import { hostOf } from './open.ts'
import { storedSettings } from './stored.ts'

/** Time-out, in milliseconds. */
const PATIENCE = 5000

export const command: Command = {
  usage: '',
  summary: 'Checks whether the local server with these settings accepts requests',
  words: { least: 0, most: 0 },
  async run(given) {
    const config = await hostOf(given, storedSettings)
    const said = await ask(config)
    if (said !== '200') throw new AppError('unavailable', `${placeOf(config)} returned ${said}.`)
    console.log(`${placeOf(config)} accepts requests.`)
  },
}

const placeOf = ({ socket, address, port }: Config): string => socket || `${address}:${port}`

/** Loopback addresses for the wildcard addresses. */
const NEAR: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The status, or the reason why there is none. */
function ask({ socket, address, port, tls, baseURL, prefixStripped }: Config): Promise<string> {
  const place: RequestOptions = socket ? { socketPath: socket } : { host: NEAR[address] ?? address, port }
  const path = `${prefixStripped ? '' : baseURL}/health/ready`
  // The request stays on this machine, so the certificate is not verified.
  const options = { ...place, path, timeout: PATIENCE, rejectUnauthorized: false }
  const get = tls ? getSecure : getPlain
  return new Promise(resolve => {
    const request = get(options, response => resolve(String(response.resume().statusCode)))
    request.once('timeout', () => request.destroy(new Error('time-out')))
    request.once('error', error => resolve(`nothing (${error.message})`))
  })
}
