import { createHash, randomBytes } from 'node:crypto'
import { utimes, writeFile } from 'node:fs/promises'
import type { CDPSession, Page } from '@playwright/test'
import type { App } from './app.ts'
import { test as base } from './fixtures.ts'
import { localFolder } from './trees.ts'

/** `local`: a folder on the visitor's own computer. */
export const test = base.extend<{ local: string }>({
  local: async ({ corner }, use) => {
    const folder = await localFolder(corner.name)
    await use(folder.path)
    await folder.remove()
  },
})

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The modification time of the files that `makeFile` makes. */
export const DATE = new Date(Date.UTC(2021, 2, 3, 4, 5, 6))

/** Makes a file of random bytes. @returns their hash */
export async function makeFile(path: string, size: number): Promise<string> {
  const bytes = randomBytes(size)
  await writeFile(path, bytes)
  await utimes(path, DATE, DATE)
  return sha256(bytes)
}

/** Chooses files, or one folder, in the browser's own chooser. */
export async function choose(app: App, what: 'Files' | 'Folder', paths: string | string[]): Promise<void> {
  await app.page.keyboard.press('Alt+u')
  const [chooser] = await Promise.all([
    app.page.waitForEvent('filechooser'),
    app.dialog.getByRole('button', { name: new RegExp(`^${what}`) }).click(),
  ])
  await chooser.setFiles(paths)
}

export const network = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page)

/** Limits the upload rate, in bytes per second; -1 for no limit. */
export async function slowDown(session: CDPSession, uploadThroughput: number, offline = false): Promise<void> {
  const how = { offline, latency: 0, downloadThroughput: -1, uploadThroughput }
  await session.send('Network.emulateNetworkConditions', how)
}

/** The amount sent of the panel's first file, in MiB. */
export async function sent(app: App): Promise<number> {
  const text = await app.uploads.getByRole('listitem').first().textContent()
  return Number(/([\d.]+)\sMiB of/.exec(text ?? '')?.[1] ?? 0)
}
