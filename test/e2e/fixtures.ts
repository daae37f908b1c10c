import { mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, expect, type Page } from '@playwright/test'
import { inBucket } from '../api/bucket.ts'
import { call, claimsOf, json, signIn } from '../api/client.ts'
import { type OwnServer, startServer, uniqueName } from '../api/harness.ts'
import { startBehind } from '../proxies/before.ts'
import { lackFor } from '../scale/beyond-buckets.ts'
import { App } from './app.ts'

/** A folder that only one test uses. */
export interface Corner {
  /** On the server's disk. */
  disk: string
  /** `/…` without a trailing slash. */
  path: string
  name: string
}

interface WorkerParts {
  /** A real server for this worker, under the base URL of its project. */
  server: OwnServer
  /** Further flags for the server. */
  serverArgs: string[]
  /** The token of a session for API calls; the page has a session of its own and exchanges its token. */
  token: string
  /** The user's initial view settings; every test begins with them, whatever others chose. */
  choices: Choices
}

const CHOICES = ['sorting', 'viewMode', 'singleClick', 'hideDotfiles', 'dateFormat', 'locale'] as const
type Choices = Record<(typeof CHOICES)[number], unknown>

interface Parts {
  /** Skips a test of something that a bucket does not support. */
  beyond: undefined
  app: App
  corner: Corner
  /**
   * Errors in the page: violations of the policy, errors thrown, errors logged, requests to other origins. Must be
   * empty at the end.
   */
  complaints: string[]
}

/**
 * The browser also reports expected error statuses as errors, and that this test may not access the frames of documents
 * by script.
 */
const EXPECTED = /^Failed to load resource: |^Blocked script execution in 'about:srcdoc/

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The folder of the test servers. */
const OWN_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost'])

export const test = base.extend<Parts, WorkerParts>({
  serverArgs: [[], { option: true, scope: 'worker' }],
  server: [
    async ({ serverArgs }, use, { project }) => {
      const { base, proxy } = project.metadata
      const server = await (proxy ? startBehind(proxy, { args: serverArgs }) : startServer({ base, args: serverArgs }))
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  token: [async ({ server }, use) => use(await signIn(server)), { scope: 'worker' }],
  choices: [async ({ server, token }, use) => use(await choicesOf(server, token)), { scope: 'worker' }],

  // The token is set as the first page loads: to fill the storage itself, Playwright would open one more page.
  context: async ({ context, storageState, server }, use) => {
    if (storageState === undefined) await context.addInitScript(logInOnce, await signIn(server))
    await use(context)
  },

  corner: async ({ server }, use) => {
    const name = uniqueName('t')
    const disk = join(server.root, name)
    await mkdir(disk)
    await use({ disk, path: `/${name}`, name })
  },

  beyond: [
    async ({ server: _server }, use, { file, title, skip }) => {
      const lack = inBucket ? lackFor(relative(ROOT, file), title) : undefined
      skip(lack !== undefined, lack ?? '')
      await use(undefined)
    },
    { auto: true },
  ],

  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      await listen(page, complaints)
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],

  app: async ({ page, server, token, choices }, use) => {
    await choose(server, token, choices)
    await use(new App(page, server.url))
  },
})

async function choicesOf(server: OwnServer, token: string): Promise<Choices> {
  const user = json(await call(server, `/api/users/${idOf(token)}`, { token }))
  const { sorting, viewMode, singleClick, hideDotfiles, dateFormat, locale } = user
  return { sorting, viewMode, singleClick, hideDotfiles, dateFormat, locale }
}

async function choose(server: OwnServer, token: string, choices: Choices): Promise<void> {
  const body = JSON.stringify({ what: 'user', which: CHOICES, data: { id: idOf(token), ...choices } })
  const answer = await call(server, `/api/users/${idOf(token)}`, { method: 'PUT', token, body })
  expect(answer.status).toBe(200)
}

const idOf = (token: string): number => claimsOf(token).user.id

/** Opens pages as another user. Only once: the page exchanges the token for others. */
export async function becomeOther(page: Page, token: string): Promise<void> {
  await page.addInitScript(value => {
    if (!self.origin.startsWith('http') || sessionStorage.getItem('other')) return
    sessionStorage.setItem('other', 'yes')
    localStorage.setItem('jwt', value)
  }, token)
}

/**
 * Signs a new visitor in; one who has signed out stays so. Runs in the page. The token must not be set with each page:
 * the page exchanges it, and the session ends when the first one is used again later.
 */
export function logInOnce(token: string): void {
  if (!self.origin.startsWith('http') || localStorage.getItem('visited')) return
  localStorage.setItem('visited', 'yes')
  localStorage.setItem('jwt', token)
}

async function listen(page: Page, complaints: string[]): Promise<void> {
  page.on('pageerror', error => complaints.push(`thrown: ${error.stack ?? error.message}`))
  page.on('console', message => {
    const text = message.text()
    if (message.type() === 'error' && !EXPECTED.test(text)) complaints.push(`logged: ${text}`)
  })
  page.context().on('request', request => {
    const { protocol, hostname } = new URL(request.url())
    if (/^(https?|wss?):$/.test(protocol) && !OWN_HOSTS.has(hostname)) complaints.push(`asked for ${request.url()}`)
  })
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', event => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`)
    })
  })
}

/** No user is signed in. */
export const ANONYMOUS = { cookies: [], origins: [] }

/** The status of a listing with a token. */
export const statusWith = async (server: OwnServer, token: string): Promise<number> =>
  (await call(server, '/api/resources/', { token })).status

export { expect }
