import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { startFiligree } from '../peers.mjs'
import { watchPage } from './in-page.mjs'

export const SIZES = [100, 1000, 10_000, 100_000]

/** Lighthouse's slow 4G: round-trip milliseconds, bytes per second. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 }
const SLOW_PROCESSOR = 4
const WINDOW = { width: 1280, height: 900 }
const KINDS = ['txt', 'pdf', 'mp4', 'zip', 'docx', 'mp3', 'csv', 'iso']
/** Milliseconds after which a page without rows has failed. */
const PATIENCE = 300_000

/**
 * Folders of these sizes and a large text, a server on them, and a browser. `visit` opens a page with an empty cache,
 * `leave` closes it; `close` ends everything.
 */
export async function prepareStage(sizes) {
  const scratch = mkdtempSync(join(tmpdir(), 'filigree-bench-web-'))
  const root = join(scratch, 'root')
  for (const size of sizes) makeFiles(join(root, folderOf(size)), size)
  makeText(join(root, LARGE_TEXT))
  await makePictures(join(root, PICTURES))
  const server = await startFiligree(root, scratch)
  const browser = await launch().catch(async error => {
    await server.stop()
    throw error
  })
  return {
    url: server.url,
    visit: options => visit(browser, server, options),
    async close() {
      await browser.close()
      await server.stop()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

/** A text of 50 MB, in a language with syntax colours. */
export const LARGE_TEXT = 'large.js'
const LARGE_TEXT_BYTES = 50_000_000

function makeText(path) {
  const line = 'const tide = sea.rise({ metres: 2.5, at: "noon" }) // as every day\n'
  writeFileSync(path, line.repeat(Math.ceil(LARGE_TEXT_BYTES / line.length)))
}

/** A folder of images. */
export const PICTURES = 'pictures'

async function makePictures(folder) {
  mkdirSync(folder, { recursive: true })
  const background = { width: 1600, height: 1200, channels: 3, background: '#2a7' }
  const image = await sharp({ create: background }).jpeg().toBuffer()
  for (const index of [1, 2, 3]) writeFileSync(join(folder, `${index}.jpg`), image)
}

export const folderOf = size => `${size} files`

function makeFiles(folder, count) {
  mkdirSync(folder, { recursive: true })
  for (let index = 0; index < count; index++) {
    writeFileSync(join(folder, `Holiday ${(index * 7919) % count} by the sea.${KINDS[index % KINDS.length]}`), '')
  }
}

function launch() {
  // Chromium refuses its own sandbox for root, as in most containers.
  const args = ['--disable-gpu', '--no-first-run', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  return chromium.launch({ executablePath: process.env.FILIGREE_CHROMIUM, args })
}

/**
 * Opens a page with a session and an empty cache.
 * @param slow `network` for slow 4G and a slow processor, `processor` for the latter alone
 */
async function visit(browser, server, { slow } = {}) {
  // Every page has a session of its own: a token is exchanged when it is first used.
  const localStorage = [{ name: 'jwt', value: await server.signIn() }]
  const storageState = { cookies: [], origins: [{ origin: server.url, localStorage }] }
  const context = await browser.newContext({ viewport: WINDOW, storageState, locale: 'en-US' })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  if (slow === 'network') await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
  if (slow) await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_PROCESSOR })
  await page.addInitScript(watchPage)
  return {
    page,
    devtools,
    /** Opens the folder of that many entries and waits until its rows are interactive. @returns milliseconds until then */
    open: size => openFolder(folderOf(size)),
    /** The same for a folder of this name. */
    openFolder,
    leave: () => context.close(),
  }

  async function openFolder(name) {
    await page.goto(`${server.url}/files/${encodeURIComponent(name)}/`, { waitUntil: 'commit' })
    const there = page.waitForFunction(() => globalThis.watched.firstRow, undefined, { timeout: PATIENCE })
    const firstRow = await there.catch(async () => {
      throw new Error(`no row after ${PATIENCE} ms; the page shows: ${await page.locator('body').textContent()}`)
    })
    return firstRow.jsonValue()
  }
}
