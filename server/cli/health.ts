import { get as getPlain, type RequestOptions } from 'node:http'
import { get as getSecure } from 'node:https'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Command } from './command.ts'
import { hostOf } from './open.ts'
import { storedSettings } from './stored.ts'

/** Milliseconds that the answer may take. */
const PATIENCE = 5000

export const command: Command = {
  usage: '',
  summary: 'Asks the server that runs here, with these settings, whether it takes requests',
  words: { least: 0, most: 0 },
  async run(given) {
    const config = await hostOf(given, storedSettings)
    const said = await ask(config)
    if (said !== '200') throw new AppError('unavailable', `${placeOf(config)} answers ${said}.`)
    console.log(`${placeOf(config)} takes requests.`)
  },
}

const placeOf = ({ socket, address, port }: Config): string => socket || `${address}:${port}`

/** The addresses that stand for every network, and those of this machine. */
const NEAR: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The status, or why there is none. */
function ask({ socket, address, port, tls, baseURL, prefixStripped }: Config): Promise<string> {
  const place: RequestOptions = socket ? { socketPath: socket } : { host: NEAR[address] ?? address, port }
  const path = `${prefixStripped ? '' : baseURL}/health/ready`
  // It is this very machine that answers, by any name: nobody has to vouch for it.
  const options = { ...place, path, timeout: PATIENCE, rejectUnauthorized: false }
  const get = tls ? getSecure : getPlain
  return new Promise(resolve => {
    const request = get(options, response => resolve(String(response.resume().statusCode)))
    request.once('timeout', () => request.destroy(new Error('nothing in time')))
    request.once('error', error => resolve(`nothing (${error.message})`))
  })
}
